import Foundation
import LadingHTTP

/// The error message in the body of a rejection.
///
/// The Realtime Database writes `{"error": "Permission denied"}`, the others `{"error": {"code": 400, "message": "EMAIL_NOT_FOUND"}}`.
struct FirebaseErrorBody {
    /// The maximum length of a message, in characters.
    static let messageLimit = 500

    let message: String

    /// - Returns: nil when the response contains no readable message.
    init?(_ response: BackendResponse) {
        guard let error = try? JSONValue(json: response.body)["error"], let message = error.string ?? error["message"]?.string else {
            return nil
        }
        self.message = String(message.prefix(Self.messageLimit))
    }
}
