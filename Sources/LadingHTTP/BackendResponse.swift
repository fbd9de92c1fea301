public import Foundation
public import HTTPTypes

/// A response with its complete body.
public struct BackendResponse: Sendable {
    /// The URL that responded, after redirects.
    public var url: URL
    public var status: HTTPResponse.Status
    public var headers: HTTPFields
    /// The whole body, after content codings are decoded; of an error that is not read to its end, the beginning.
    public var body: [UInt8]
    /// Whether the body was not read to its end.
    package var isTruncated = false
    /// Whether the exchange contains secrets, so that errors must not contain the body.
    package var containsSecrets = false

    public init(url: URL, status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.url = url
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response with the beginning of a body, which is read up to the chunk that exceeds the limit, in bytes.
    package init(url: URL, _ head: ResponseHead, _ body: ResponseBody, limit: Int) async throws {
        self.init(url: url, status: head.status, headers: head.headers)
        for try await chunk in body {
            self.body += chunk
            isTruncated = self.body.count > limit
            if isTruncated { break }
        }
    }
}

/// The part of a response that precedes its body.
public struct ResponseHead: Sendable {
    public var status: HTTPResponse.Status
    public var headers: HTTPFields

    public init(status: HTTPResponse.Status, headers: HTTPFields = [:]) {
        self.status = status
        self.headers = headers
    }

    /// Returns the length of the body that follows, in bytes; nil without a valid announcement.
    ///
    /// The announced length of a coded body is that before decoding (RFC 9110 §8.6), and is ignored.
    ///
    /// - Parameter method: The method of the request: a response to HEAD announces the length of a body that does not follow.
    package func bodyLength(for method: HTTPRequest.Method) -> Int? {
        guard !isBodyless(for: method), contentCoding == nil, let length = headers[.contentLength].flatMap({ Int($0) }), length >= 0 else {
            return nil
        }
        return length
    }

    /// Returns whether a response never has a body, whatever its fields announce (RFC 9112 §6.3).
    ///
    /// - Parameter method: The method of the request.
    package func isBodyless(for method: HTTPRequest.Method) -> Bool {
        method == .head || status.kind == .informational || status == .noContent || status == .notModified
    }
}

/// The body of a response as it arrives, in chunks of any size; it can be read once.
///
/// Chunks are read from the connection on demand, so that a slow reader slows the sender down; executors that cannot do that document it. Iteration
/// ends after the last byte of a complete body, and throws the errors of the executor before it.
public struct ResponseBody: AsyncSequence {
    public typealias Element = [UInt8]

    /// Whether the body is read from a cache, and does not depend on the speed of an origin.
    var isStored = false
    private let nextChunk: () async throws -> [UInt8]?

    /// Creates a body from a function that returns its chunks.
    ///
    /// - Parameter nextChunk: Returns the next chunk, and nil after the last.
    public init(nextChunk: nonisolated(nonsending) @escaping () async throws -> [UInt8]?) {
        self.nextChunk = nextChunk
    }

    public func makeAsyncIterator() -> Iterator { Iterator(nextChunk: nextChunk) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let nextChunk: () async throws -> [UInt8]?

        public nonisolated(nonsending) mutating func next() async throws -> [UInt8]? { try await nextChunk() }
    }
}
