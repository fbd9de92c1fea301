/// The body of a message: bytes in memory, a file, or a stream of bytes. Each transmission reads it from its beginning.
///
/// ```swift
/// RequestMessage(method: .post, url: url, body: .bytes(json))
/// RequestMessage(method: .put, url: url, body: try .file(video))
/// RequestMessage(method: .post, url: url, body: .stream { lines() })
/// ```
///
/// It is a sequence of chunks that executors iterate over. Each iteration starts over, because redirects and retries send the body again. An
/// iteration with more or fewer bytes than `length` throws `RequestBodyError.wrongLength`.
public struct RequestBody: Sendable {
    package enum Content: Sendable {
        case bytes([UInt8])
        case file(FileSlice)
        case stream(@Sendable () async throws -> NextChunk)
    }

    /// A function that returns the next chunk of an iteration, and nil after the last.
    package typealias NextChunk = () async throws -> [UInt8]?

    /// The maximum length of a chunk of bytes in memory or of a file, in bytes.
    package static let chunkSize = 256 << 10

    let content: Content
    /// The length in bytes; nil when it is known only at the end.
    public let length: Int?
    /// A callback for the total number of bytes sent.
    package var onSent: (@Sendable (Int) -> Void)?

    package init(_ content: Content, length: Int?) {
        self.content = content
        self.length = length
    }
}

// MARK: - Creation

extension RequestBody: ExpressibleByArrayLiteral {
    public init(arrayLiteral bytes: UInt8...) {
        self = .bytes(bytes)
    }

    /// Returns a body of bytes in memory.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> RequestBody {
        let bytes = Array(bytes)
        return RequestBody(.bytes(bytes), length: bytes.count)
    }

    /// Returns a body that is streamed; each transmission creates the stream again.
    ///
    /// - Parameters:
    ///   - length: The length in bytes, if it is known beforehand.
    ///   - chunks: Creates the stream. Its errors, and those of the stream, end the exchange and are rethrown.
    public static func stream<Chunks: AsyncSequence & SendableMetatype>(
        length: Int? = nil, _ chunks: nonisolated(nonsending) @escaping @Sendable () async throws -> Chunks
    ) -> RequestBody where Chunks.Element == [UInt8], Chunks.AsyncIterator: SendableMetatype {
        RequestBody(
            .stream {
                var iterator = try await chunks().makeAsyncIterator()
                return { try await iterator.next(isolation: #isolation) }
            }, length: length)
    }
}

// MARK: - Transmission

extension RequestBody {
    /// Whether the body is known to be empty.
    public var isEmpty: Bool { length == 0 }

    /// The bytes when they are in memory, for executors that send them at once; nil otherwise.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = content { bytes } else { nil }
    }

    /// Reports the total number of bytes sent since the transmission began.
    ///
    /// Iterating calls it; an executor that sends the bytes in another way calls it as often as possible.
    public func reportSent(_ count: Int) { onSent?(count) }

    /// Returns the bytes, read into memory.
    ///
    /// - Throws: `RequestBodyError.tooLong` beyond the limit in bytes, and errors of reading the body.
    public nonisolated(nonsending) func collected(limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in self {
            guard bytes.count + chunk.count <= limit else { throw RequestBodyError.tooLong(limit: limit) }
            bytes += chunk
        }
        return bytes
    }

    /// Returns the same body with a callback for the total number of bytes sent.
    package func reportingSentBytes(to onSent: @escaping @Sendable (Int) -> Void) -> RequestBody {
        var body = self
        body.onSent = onSent
        return body
    }
}

extension RequestBody: AsyncSequence {
    public typealias Element = [UInt8]

    public func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    /// A transmission of a body. A chunk counts as sent when the next one is requested.
    ///
    /// Iteration throws `RequestBodyError`, errors of a stream, and `CancellationError` when a stream ends in a cancelled task.
    public struct Iterator: AsyncIteratorProtocol {
        private let body: RequestBody
        private var chunks: NextChunk?
        private var yieldedCount = 0
        private var hasEnded = false

        init(body: RequestBody) {
            self.body = body
        }

        public nonisolated(nonsending) mutating func next() async throws -> [UInt8]? {
            if yieldedCount > 0 { body.reportSent(yieldedCount) }
            guard !hasEnded, let chunk = try await read() else { return nil }
            // A server that has the announced length may respond at once, so the last chunk is returned only when none follows.
            if yieldedCount == body.length { while try await read() != nil {} }
            return chunk
        }

        /// Returns the next chunk; nil at the end.
        private mutating func read() async throws -> [UInt8]? {
            let chunk = try await begin()()
            // Many streams simply end when their task is cancelled, which is not the end of the body.
            if chunk == nil { try Task.checkCancellation() }
            yieldedCount += chunk?.count ?? 0
            hasEnded = chunk == nil
            if let length = body.length, yieldedCount > length || (hasEnded && yieldedCount < length) {
                hasEnded = true
                throw RequestBodyError.wrongLength(yieldedCount, announced: length)
            }
            return chunk
        }

        private mutating func begin() async throws -> NextChunk {
            if let chunks { return chunks }
            let begun = try await body.content.begin()
            chunks = begun
            return begun
        }
    }
}

extension RequestBody.Content {
    /// Starts an iteration from the beginning.
    fileprivate func begin() async throws -> RequestBody.NextChunk {
        switch self {
        case .bytes(let bytes):
            var rest = bytes[...]
            return {
                guard !rest.isEmpty else { return nil }
                defer { rest = rest.dropFirst(RequestBody.chunkSize) }
                return Array(rest.prefix(RequestBody.chunkSize))
            }
        case .file(let slice):
            let reader = try FileSliceReader(slice)
            return { try reader.next(atMost: RequestBody.chunkSize) }
        case .stream(let begin):
            return try await begin()
        }
    }
}
