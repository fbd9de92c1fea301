import HTTPFieldValues
import HTTPTypes
import Hummingbird

/// The reasons for refusing a request with an idempotency key (draft-ietf-httpapi-idempotency-key-header-07, §2.7).
enum IdempotencyProblem: Error, Hashable {
    case missing
    case malformed
    /// The key was used for another request.
    case reused
    /// A request with the key is in progress.
    case inProgress

    /// The error as `application/problem+json` (RFC 9457).
    var response: Response { .problem(status, title: title, detail: detail) }

    private var status: HTTPResponse.Status {
        switch self {
        case .missing, .malformed: .badRequest
        case .reused: .unprocessableContent
        case .inProgress: .conflict
        }
    }

    private var title: String {
        switch self {
        case .missing: "Idempotency-Key is missing"
        case .malformed: "Idempotency-Key is not valid"
        case .reused: "Idempotency-Key is already used"
        case .inProgress: "A request is outstanding for this Idempotency-Key"
        }
    }

    private var detail: String {
        switch self {
        case .missing: "This operation is idempotent: send a key that no other request uses."
        case .malformed:
            "A key is a string of at most \(IdempotencyKeyField.lengthLimit) visible ASCII characters without quotes and backslashes."
        case .reused: "The key was already used by a different request."
        case .inProgress: "A request with the same key is in progress: retry when it has completed."
        }
    }
}
