import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import NIOCore

/// The response with an uploaded file: whole, in part, or a 304.
struct FileRepresentation: ResponseGenerator, Sendable {
    /// The number of bytes read and sent at once.
    private static let chunkSize = 256 << 10

    private let file: any UploadedFile
    private let lastModified: HTTPDate
    /// Called with the number of bytes after each write.
    private let onSent: @Sendable (Int) -> Void

    init(_ file: any UploadedFile, onSent: @escaping @Sendable (Int) -> Void) {
        self.file = file
        self.onSent = onSent
        lastModified = file.lastModified
    }

    func response(from request: Request, context: some RequestContext) -> Response {
        var headers = fields
        guard Preconditions(request.headers).allowsSending(file) else { return Response(status: .preconditionFailed, headers: validators) }
        if isUnmodified(for: request.headers) {
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil
            return response
        }
        guard let range = range(requestedBy: request) else {
            return Response(status: .ok, headers: headers, body: body(0..<file.length))
        }
        guard let part = range.resolved(in: file.length) else {
            headers[.contentRange] = "bytes */\(file.length)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.length)"
        return Response(status: .partialContent, headers: headers, body: body(part))
    }

    /// The header fields that identify the current version.
    private var validators: HTTPFields { [.eTag: file.tag.text, .lastModified: lastModified.text, .cacheControl: "no-cache"] }

    /// The header fields of the file. They prevent browsers from displaying uploaded content as a page of this server.
    private var fields: HTTPFields {
        var fields: HTTPFields = [
            .acceptRanges: "bytes", .contentType: "application/octet-stream", .contentDisposition: "attachment",
            .xContentTypeOptions: "nosniff", .contentSecurityPolicy: "default-src 'none'; sandbox",
        ]
        fields.append(contentsOf: validators)
        return fields
    }

    /// Returns the requested range; nil for the whole file.
    ///
    /// `If-Range` must match: a strong comparison, which dates never satisfy (RFC 9110 §13.1.5).
    private func range(requestedBy request: Request) -> ByteRange? {
        guard request.method == .get else { return nil }
        if let condition = request.headers[.ifRange], !file.tag.isStrongMatch(EntityTag(condition)) { return nil }
        return request.headers[.range].flatMap { ByteRange($0) }
    }

    private func isUnmodified(for headers: HTTPFields) -> Bool {
        if headers.contains(.ifNoneMatch) { return file.tag.matches(anyIn: headers.entityTags(in: .ifNoneMatch)) }
        guard let since = headers[.ifModifiedSince].flatMap({ HTTPDate($0, near: Date()) }) else { return false }
        return lastModified <= since
    }

    private func body(_ range: Range<Int>) -> ResponseBody {
        ResponseBody(contentLength: range.count) { [file, onSent] writer in
            var start = range.lowerBound
            while start < range.upperBound {
                let chunk = try await file.content(from: start, atMost: min(Self.chunkSize, range.upperBound - start))
                guard chunk.readableBytes > 0 else { throw POSIXError(.EIO) }
                start += chunk.readableBytes
                try await writer.write(chunk)
                onSent(chunk.readableBytes)
            }
            try await writer.finish(nil)
        }
    }
}
