import HTTPTypes
package import Hummingbird
import NIOCore

/// A middleware that compresses responses with gzip for clients that accept it, and sets the fields that caches need.
///
/// A compressed response has a weak entity tag: same version of the content, other bytes (RFC 9110 §8.8.1). HEAD describes the plain content.
/// Routes give a 304 the content type of its 200, which decides on `Vary` and is removed.
package struct ResponseCompression<Context: RequestContext>: RouterMiddleware {
    /// The maximum length in bytes of content that is compressed before its head is sent, with a `Content-Length`; longer content is streamed.
    package static var bufferLimit: Int { 1 << 20 }

    private let policy = CompressionPolicy()

    package init() {}

    @concurrent
    package func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // The body of a response to HEAD has been removed, its length has not.
        let length = request.method == .head ? response.headers[.contentLength].flatMap { Int($0) } : response.body.contentLength
        let action = policy.action(for: response.head, length: length, request: request.head)
        if response.status == .notModified {
            response.headers.makeETagWeak(for: request.headers)
            response.headers[.contentType] = nil
        }
        switch action {
        case .passThrough: return response
        case .addVary:
            response.headers.addVary()
            return response
        case .compress:
            response.headers.addGzipFields()
            response.body = await Self.compressed(response.body)
            return response
        }
    }

    private static func compressed(_ body: ResponseBody) async -> ResponseBody {
        guard let length = body.contentLength, length <= bufferLimit else { return streamed(body) }
        let content = CompressedContent()
        do {
            try await body.write(GzipBodyWriter(to: content))
            return ResponseBody(byteBuffer: content.bytes)
        } catch {
            // Sends the content before the failure, and then closes the connection.
            return ResponseBody { writer in
                try await writer.write(content.bytes)
                throw error
            }
        }
    }

    private static func streamed(_ body: ResponseBody) -> ResponseBody {
        ResponseBody { writer in try await body.write(GzipBodyWriter(to: writer)) }
    }
}

extension HTTPFields {
    /// Adds `Accept-Encoding` to `Vary`.
    fileprivate mutating func addVary() {
        let known = self[.vary].map { $0.lowercased().split { ", ".contains($0) } } ?? []
        guard !known.contains("accept-encoding") else { return }
        self[.vary] = self[.vary].map { "\($0), Accept-Encoding" } ?? "Accept-Encoding"
    }

    fileprivate mutating func addGzipFields() {
        addVary()
        self[.contentEncoding] = ContentCoding.gzip.rawValue
        if let tag = self[.eTag], !tag.hasPrefix("W/") { self[.eTag] = "W/\(tag)" }
    }

    /// Weakens the entity tag of a 304 (RFC 9110 §15.4.5) where the client's copy has the weak tag of a compressed response.
    fileprivate mutating func makeETagWeak(for request: HTTPFields) {
        guard let tag = self[.eTag], !tag.hasPrefix("W/"), let known = request[.ifNoneMatch] else { return }
        guard known.contains("W/\(tag)"), AcceptEncoding(request[.acceptEncoding]).preferredCoding() == .gzip else { return }
        self[.eTag] = "W/\(tag)"
        addVary()
    }
}
