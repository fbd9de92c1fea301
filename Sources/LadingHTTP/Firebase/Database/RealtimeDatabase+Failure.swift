public import Foundation

extension RealtimeDatabase {
    /// Why something could not be read or written, beyond what a `BackendError` tells.
    public enum Failure: Error {
        /// A key that cannot be: empty, too long, or with one of `. # $ [ ] /` or a control character in it.
        case invalidKey(String)
        /// A path has more keys than this.
        case pathTooDeep(limit: Int)
        /// A query contradicts itself.
        case invalidQuery(String)
        /// The server refused, with its status and its words: `Permission denied`, `Auth token is expired`.
        case refused(status: Int, reason: String)
        /// The value is not the one that the condition asked for; with what it is now.
        case preconditionFailed(DatabaseVersion)
        /// A value is not what it should be.
        case decodingFailed(DatabasePath, cause: any Error)
        /// The rules of the database no longer let these events be read.
        case cancelled(DatabasePath)
        /// The token of a stream of events is no longer good, and there is no other; with the words of the server.
        case authenticationRevoked(String)
    }
}

extension RealtimeDatabase.Failure: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .invalidKey(let key): "“\(key.prefix(40))” cannot be a key of the database"
        case .pathTooDeep(let limit): "the database has no more than \(limit) levels"
        case .invalidQuery(let reason): "the query cannot be asked: \(reason)"
        case .refused(let status, let reason): "the database answered \(status): \(reason)"
        case .preconditionFailed: "somebody else has changed the value meanwhile"
        case .decodingFailed(let path, let cause): "cannot read \(path): \(cause)"
        case .cancelled(let path): "\(path) may no longer be read"
        case .authenticationRevoked(let reason): "no longer signed in: \(reason)"
        }
    }
}
