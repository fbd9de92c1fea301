import HTTPTypes
import Hummingbird
import NIOCore

/// The reasons for refusing an upload.
///
/// Problem types are those of draft-ietf-httpbis-resumable-upload-10, §7, where it defines them.
enum UploadProblem: Error, Hashable {
    /// The delay after which a client may retry.
    private static let retryFields: HTTPFields = [.retryAfter: "30"]

    case mismatchingOffset(expected: Int, provided: Int?)
    case completed
    case inconsistentLength
    case tooLarge(limit: Int)
    /// The limit on concurrent uploads of all clients is reached.
    case tooManyUploads
    /// The limit on concurrent uploads of one client is reached.
    case tooManyUploadsPerClient(limit: Int)
    /// The limit on the bytes of all files and uploads is reached.
    case noSpace(limit: Int)
    /// The upload expired or made room for another one while its content arrived.
    case removed

    /// The error as `application/problem+json` (RFC 9457), or as plain text for `tooLarge`.
    var response: Response {
        switch self {
        case .mismatchingOffset(let expected, let provided):
            Self.response(
                .conflict, "mismatching-upload-offset", "The offset does not match the upload.",
                [.uploadOffset: "\(expected)", .uploadComplete: "?0"],
                ",\"expected-offset\":\(expected)" + (provided.map { ",\"provided-offset\":\($0)" } ?? ""))
        case .completed:
            Self.response(.badRequest, "completed-upload", "The upload is already complete.", [.uploadComplete: "?1"])
        case .inconsistentLength:
            Self.response(.badRequest, "inconsistent-upload-length", "The length differs from the announced length.")
        case .tooLarge(let limit):
            Response(
                status: .contentTooLarge, headers: [.contentType: "text/plain; charset=utf-8", .uploadLimit: "max-size=\(limit)"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "The maximum file size is \(limit) bytes.\n")))
        case .tooManyUploads:
            .problem(
                .serviceUnavailable, title: "Too many active uploads", detail: "Retry when another upload has ended.",
                fields: Self.retryFields)
        case .tooManyUploadsPerClient(let limit):
            .problem(
                .tooManyRequests, title: "Too many active uploads of this client",
                detail: "A client may have \(limit) active uploads. Retry when one of them has ended.", fields: Self.retryFields)
        case .noSpace(let limit):
            .problem(
                InsufficientStorage.status, title: "The space of uploads is full",
                detail: """
                    All uploaded files together may have \(limit) bytes. Replace files by empty ones, or start the server with a larger \
                    --upload-space.
                    """)
        case .removed:
            .problem(.notFound, title: "The upload was removed", detail: "Its content arrived too slowly. Upload the file again.")
        }
    }

    private static func response(
        _ status: HTTPResponse.Status, _ type: String, _ title: String, _ fields: HTTPFields = [:], _ members: String = ""
    ) -> Response {
        var headers = fields
        headers[.contentType] = "application/problem+json"
        let text = "{\"type\":\"https://iana.org/assignments/http-problem-types#\(type)\",\"title\":\"\(title)\"\(members)}\n"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
