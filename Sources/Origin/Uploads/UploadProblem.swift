import HTTPTypes
import Hummingbird
import NIOCore

/// Why an origin does not take what a client uploads, as the draft words it (§7) where it has words for it.
enum UploadProblem: Error, Hashable {
    /// The time after which a client may try again.
    private static let retryFields: HTTPFields = [.retryAfter: "30"]

    case mismatchingOffset(expected: Int, provided: Int?)
    case completed
    case inconsistentLength
    case tooLarge(limit: Int)
    /// All clients together have as many uploads under way as there may be.
    case tooMany
    /// The client has as many uploads under way as one may have.
    case tooManyOfClient(limit: Int)

    /// As `application/problem+json` (RFC 9457).
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
        case .tooMany:
            .problem(
                .serviceUnavailable, title: "Too many uploads are under way",
                detail: "The server takes another upload when one of them has ended.", fields: Self.retryFields)
        case .tooManyOfClient(let limit):
            .problem(
                .tooManyRequests, title: "Too many uploads of this client are under way",
                detail: "A client may have \(limit) uploads under way; another one can begin when one of them has ended.",
                fields: Self.retryFields)
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
