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
        /// The query is contradictory, or a bound of it is invalid.
        case invalidQuery(String)
        /// The server refused the request, with its status and its reason: `Permission denied`, `Auth token is expired`.
        case refused(status: Int, reason: String)
        /// The value does not have the required entity tag; with its current version.
        case preconditionFailed(DatabaseVersion)
        /// A value could not be decoded.
        case decodingFailed(DatabasePath, cause: any Error)
        /// The server ended an event stream, with its reason, if any: the security rules no longer permit reading, or a change was too large.
        case cancelled(DatabasePath, reason: String?)
        /// The token of an event stream was revoked and cannot be replaced, or its user has signed out; with the reason.
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
        case .cancelled(let path, let reason?) where !Self.isPermissionDenial(reason): "the server ended the events of \(path): \(reason)"
        case .cancelled(let path, _): "permission to read \(path) was revoked: check the security rules"
        case .authenticationRevoked(let reason): "the user is no longer signed in (\(reason)): sign in again"
        }
    }

    private static func isPermissionDenial(_ reason: String) -> Bool { reason.lowercased().hasPrefix("permission denied") }
}
