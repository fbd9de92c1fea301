import HTTPTypes
package import Hummingbird
import NIOCore

/// Compresses responses with gzip for clients that accept it, and labels them so that caches keep them apart.
///
/// A compressed response has a weak entity tag: the same version of the content, in other bytes (RFC 9110 §8.8.1). HEAD describes the plain content.
package struct ResponseCompression<Context: RequestContext>: RouterMiddleware {
    /// The longest content in bytes that is compressed before its head is sent, which then tells its length; longer content is compressed while it is sent.
    package static var bufferLimit: Int { 1 << 20 }

    private let policy = CompressionPolicy()

    package init() {}

    @concurrent
    package func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if response.status == .notModified { response.headers.weakenETag(for: request.headers) }
        // The body of a response to HEAD has been left out, its length not.
        let length = request.method == .head ? response.headers[.contentLength].flatMap { Int($0) } : response.body.contentLength
        switch policy.action(for: response.head, length: length, request: request.head) {
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
            // The content ends early: the client gets what there is of it, and the connection closes.
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
    /// Says that the content depends on `Accept-Encoding`.
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

    /// A 304 carries the tag that the client's copy has (RFC 9110 §15.4.5): the weak one where that was compressed.
    fileprivate mutating func weakenETag(for request: HTTPFields) {
        guard let tag = self[.eTag], !tag.hasPrefix("W/"), let known = request[.ifNoneMatch] else { return }
        guard known.contains("W/\(tag)"), AcceptEncoding(request[.acceptEncoding]).preferredCoding() == .gzip else { return }
        self[.eTag] = "W/\(tag)"
        addVary()
    }
}
