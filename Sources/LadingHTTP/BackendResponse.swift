public import Foundation
public import HTTPTypes

/// A reply whose body has arrived whole.
public struct BackendResponse: Sendable {
    /// The URL that answered, after redirects.
    public var url: URL
    public var status: HTTPResponse.Status
    public var headers: HTTPFields
    public var body: [UInt8]

    public init(url: URL, status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.url = url
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A reply with the beginning of its body, which is given up somewhere behind the limit, in bytes.
    init(url: URL, _ head: ResponseHead, _ body: ResponseBody, limit: Int) async throws {
        self.init(url: url, status: head.status, headers: head.headers)
        for try await chunk in body {
            self.body += chunk
            if self.body.count > limit { break }
        }
    }
}

/// The part of a reply that comes before its body.
public struct ResponseHead: Sendable {
    public var status: HTTPResponse.Status
    public var headers: HTTPFields

    public init(status: HTTPResponse.Status, headers: HTTPFields = [:]) {
        self.status = status
        self.headers = headers
    }

    /// The length of the body that follows, in bytes; nil when the server announced none that makes sense.
    ///
    /// What a server announces of a body in a content coding is the length before the coding is undone (RFC 9110 §8.6), and counts as none.
    ///
    /// - Parameter method: What was asked: the reply to HEAD announces the length of a body that does not follow.
    func bodyLength(for method: HTTPRequest.Method) -> Int? {
        let isCoded = headers[.contentEncoding].map { !$0.isEmpty && $0.lowercased() != "identity" } ?? false
        guard method != .head, !isCoded, let length = headers[.contentLength].flatMap({ Int($0) }), length >= 0 else { return nil }
        return length
    }
}

/// The body of a reply as it arrives, in chunks of any size; it can be read once.
///
/// Chunks are taken from the connection as they are asked for, so that a slow reader slows the sender down; executors that cannot do that say so.
public struct ResponseBody: AsyncSequence {
    public typealias Element = [UInt8]

    private let nextChunk: () async throws -> [UInt8]?

    /// - Parameter nextChunk: Gives the next chunk, and nil after the last.
    public init(nextChunk: nonisolated(nonsending) @escaping () async throws -> [UInt8]?) {
        self.nextChunk = nextChunk
    }

    public func makeAsyncIterator() -> Iterator { Iterator(nextChunk: nextChunk) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let nextChunk: () async throws -> [UInt8]?

        public nonisolated(nonsending) mutating func next() async throws -> [UInt8]? { try await nextChunk() }
    }
}
