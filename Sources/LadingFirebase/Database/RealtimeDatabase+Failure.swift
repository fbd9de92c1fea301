import ErrorDescriptions
public import Foundation
import LadingHTTP

extension RealtimeDatabase {
    /// An error of the database, beyond those of `BackendError`.
    public enum Failure: Error {
        /// The key is empty, too long, or contains one of `. # $ [ ] /` or a control character.
        case invalidKey(String)
        /// The path has more keys than this.
        case pathTooLong(limit: Int)
        /// The query is contradictory.
        case invalidQuery(String)
        /// The server refused the request, with its status and its reason: `Permission denied`, `Auth token is expired`.
        case refused(status: Int, reason: String)
        /// The value does not have the required entity tag; with its current version.
        case preconditionFailed(DatabaseVersion)
        /// A value could not be decoded.
        case decodingFailed(DatabasePath, cause: any Error)
        /// The security rules no longer permit reading these events.
        case cancelled(DatabasePath)
        /// The token of an event stream was revoked and cannot be replaced; with the server's reason.
        case authenticationRevoked(String)
    }
}

extension RealtimeDatabase.Failure: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String { message.redactingSecrets }

    private var message: String {
        switch self {
        case .invalidKey(let key):
            "“\(key.prefix(40))” is not a valid database key: use a nonempty text without . # $ [ ] / and control characters"
        case .pathTooLong(let limit): "the path exceeds the limit of \(limit) levels: use a shorter one"
        case .invalidQuery(let reason): "the query is invalid: \(reason)"
        case .refused(let status, let reason): "the database responded with \(status): \(reason)"
        case .preconditionFailed: "the value was changed concurrently: read it again and retry"
        case .decodingFailed(let path, let cause): "cannot read \(path)".appending(cause: cause)
        case .cancelled(let path): "permission to read \(path) was revoked: check the security rules"
        case .authenticationRevoked(let reason): "the user is no longer signed in (\(reason)): sign in again"
        }
    }
}
