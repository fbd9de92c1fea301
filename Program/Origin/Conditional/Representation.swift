import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import NIOCore

/// A document with its validators and cache policy, ready to be sent.
struct Representation: ResponseGenerator, Sendable {
    private let body: ByteBuffer
    private let format: DocumentFormat
    private let etag: EntityTag
    private let lastModified: HTTPDate?

    /// Creates a representation.
    ///
    /// - Parameter lastModified: Nil when no date distinguishes one version from another.
    init(_ body: ByteBuffer, of format: DocumentFormat, lastModified: HTTPDate?) {
        self.body = body
        self.format = format
        self.lastModified = lastModified
        etag = EntityTag(of: body)
    }

    func response(from request: Request, context: some RequestContext) -> Response {
        var headers: HTTPFields = [
            .eTag: etag.text,
            .cacheControl: format.cacheControl,
        ]
        headers[.lastModified] = lastModified?.text
        guard !isUnmodified(for: request.headers) else {
            // Determines `Vary`; `ResponseCompression` removes it.
            headers[.contentType] = format.fields[.contentType]
            return Response(notModified: headers)
        }
        headers.append(contentsOf: format.fields)
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    /// Whether the client has this version: its tags decide, its date counts only without tags (RFC 9110 §13.2.2).
    func isUnmodified(for headers: HTTPFields, now: Date = Date()) -> Bool {
        if headers.contains(.ifNoneMatch) { return etag.matches(anyIn: headers.entityTags(in: .ifNoneMatch)) }
        guard let lastModified, let since = headers[.ifModifiedSince].flatMap({ HTTPDate($0, near: now) }) else { return false }
        return lastModified <= since
    }
}

extension Response {
    /// Creates a 304, which repeats the fields that update the client's cached response (RFC 9110 §15.4.5).
    ///
    /// It has no content length, which would describe the omitted body.
    fileprivate init(notModified headers: HTTPFields) {
        self.init(status: .notModified, headers: headers)
        self.headers[.contentLength] = nil
    }
}
