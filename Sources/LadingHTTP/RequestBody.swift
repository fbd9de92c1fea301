/// What a message carries: bytes in memory, a file, or a stream of bytes; each time it is sent it is read anew, from its beginning.
///
/// ```swift
/// RequestMessage(method: .post, url: url, body: .bytes(json))
/// RequestMessage(method: .put, url: url, body: try .file(video))
/// RequestMessage(method: .post, url: url, body: .stream { lines() })
/// ```
///
/// It is a sequence of chunks: executors iterate over it. Each iteration begins anew, because redirects and retries send it again.
/// An iteration that gives more or fewer bytes than `length` says fails with `RequestBodyError.wrongLength`.
public struct RequestBody: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        case file(FileSlice)
        case stream(@Sendable () async throws -> NextChunk)
    }

    /// Gives the next chunk of an iteration, and nil after the last.
    typealias NextChunk = () async throws -> [UInt8]?

    /// The longest chunk that is made of bytes in memory or of a file, in bytes.
    public static let chunkSize = 256 << 10

    let content: Content
    /// How many bytes it has; nil when that is known only at its end.
    public let length: Int?
    /// Hears how many bytes of it have been sent.
    var onSent: (@Sendable (Int) -> Void)?

    init(_ content: Content, length: Int?) {
        self.content = content
        self.length = length
    }
}

// MARK: - Making one

extension RequestBody: ExpressibleByArrayLiteral {
    public init(arrayLiteral bytes: UInt8...) {
        self = .bytes(bytes)
    }

    /// Bytes in memory.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> RequestBody {
        let bytes = Array(bytes)
        return RequestBody(.bytes(bytes), length: bytes.count)
    }

    /// The bytes of a stream, which is made anew each time the body is sent.
    ///
    /// - Parameters:
    ///   - length: How many bytes it has, when that is known beforehand.
    ///   - chunks: Makes the stream. What it throws, and what the stream throws, ends the exchange and is thrown by it.
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

// MARK: - Sending one

extension RequestBody {
    /// Whether there is nothing to send.
    public var isEmpty: Bool { length == 0 }

    /// The bytes when they are in memory: for executors that would rather be given all of them at once.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = content { bytes } else { nil }
    }

    /// Tells whoever watches that this many bytes have been sent by now.
    ///
    /// Iterating tells it; an executor that takes the bytes in another way calls this, as often as it can.
    public func reportSent(_ count: Int) { onSent?(count) }

    /// The bytes, read into memory.
    ///
    /// - Throws: `RequestBodyError.tooLong` beyond the limit, and what reading the body throws.
    public nonisolated(nonsending) func collected(limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in self {
            guard bytes.count + chunk.count <= limit else { throw RequestBodyError.tooLong(limit: limit) }
            bytes += chunk
        }
        return bytes
    }

    /// The same body, which tells how many of its bytes have been sent.
    func reportingSentBytes(to onSent: @escaping @Sendable (Int) -> Void) -> RequestBody {
        var body = self
        body.onSent = onSent
        return body
    }
}

extension RequestBody: AsyncSequence {
    public typealias Element = [UInt8]

    public func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    /// One sending of a body. A chunk counts as sent when the next one is asked for.
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
            // Who is given all that was announced may answer at once, so the last of it is given only when nothing follows.
            if yieldedCount == body.length { while try await read() != nil {} }
            return chunk
        }

        /// The next chunk; nil at the end.
        private mutating func read() async throws -> [UInt8]? {
            let chunk = try await begin()()
            // Many streams simply end when their task is cancelled; that is not the end of the body.
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
    /// Begins to read it from its beginning.
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
