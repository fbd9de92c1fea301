import HTTPTypes
import Hummingbird
import NIOCore

/// The reasons for refusing an upload.
///
/// Problem types are those of draft-ietf-httpbis-resumable-upload-10, §7, where it defines them.
enum UploadProblem: Error, Hashable {
    /// The delay after which a client may retry, in seconds.
    private static let retryAfter = 30

    case mismatchingOffset(expected: Int, provided: Int?)
    case completed
    case inconsistentLength
    case tooLarge(limit: Int)
    /// The limit on concurrent uploads of all clients is reached.
    case tooManyUploads
    /// The limit on concurrent uploads of one client is reached.
    case tooManyUploadsPerClient(limit: Int)

    /// The error as `application/problem+json` (RFC 9457), or as plain text for `tooLarge`.
    var response: Response {
        switch self {
        case .mismatchingOffset(let expected, let provided):
            Self.response(
                .conflict, "mismatching-upload-offset", "The offset is not that of the upload.",
                [.uploadOffset: "\(expected)", .uploadComplete: "?0"],
                ",\"expected-offset\":\(expected)" + (provided.map { ",\"provided-offset\":\($0)" } ?? ""))
        case .completed:
            Self.response(.badRequest, "completed-upload", "The upload is complete already.", [.uploadComplete: "?1"])
        case .inconsistentLength:
            Self.response(.badRequest, "inconsistent-upload-length", "The file was said to have another length.")
        case .tooLarge(let limit):
            Response(
                status: .contentTooLarge, headers: [.contentType: "text/plain; charset=utf-8", .uploadLimit: "max-size=\(limit)"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "Files may have up to \(limit) bytes.\n")))
        case .tooManyUploads:
            Self.transient(
                .serviceUnavailable, "Too many uploads are under way", "The server takes another upload when one of them has ended.")
        case .tooManyUploadsPerClient(let limit):
            Self.transient(
                .tooManyRequests, "Too many uploads of this client are under way",
                "A client may have \(limit) uploads under way; another one can begin when one of them has ended.")
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

    /// Returns the response to a transient problem, with `Retry-After`.
    private static func transient(_ status: HTTPResponse.Status, _ title: String, _ detail: String) -> Response {
        var json = JSONWriter()
        json.object { json in
            json.member("title", title)
            json.member("detail", detail)
            json.member("status", status.code)
        }
        return Response(
            status: status,
            headers: [.contentType: "application/problem+json", .cacheControl: "no-store", .retryAfter: "\(retryAfter)"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: json.text + "\n")))
    }
}
