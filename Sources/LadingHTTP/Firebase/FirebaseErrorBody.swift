import Foundation

/// What a service says of a request that it refuses.
///
/// The Realtime Database writes `{"error": "Permission denied"}`, the others `{"error": {"code": 400, "message": "EMAIL_NOT_FOUND"}}`.
struct FirebaseErrorBody {
    /// The longest message that is taken from a server, in characters.
    private static let messageLimit = 500

    let message: String

    /// - Returns: nil when the reply says nothing that can be read.
    init?(_ response: BackendResponse) {
        guard let error = try? JSONValue(json: response.body)["error"], let message = error.string ?? error["message"]?.string else {
            return nil
        }
        self.message = String(message.prefix(Self.messageLimit))
    }
}
