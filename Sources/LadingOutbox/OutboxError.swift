public import Foundation

/// The reason why an outbox rejects a write.
public enum OutboxError: Error, Hashable {
    /// The maximum number of entries is pending.
    case full(limit: Int)
    /// The request is longer than the limit, in bytes.
    case tooLarge(limit: Int)
    /// The named part of the request is a secret, which would be stored on disk.
    case containsSecret(String)
    /// The key belongs to another write.
    case keyReused(IdempotencyKey)
    /// The disk of the journal is full.
    case diskFull
}

extension OutboxError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .full(let limit): "the limit of \(limit) pending changes is reached: retry when some have been sent"
        case .tooLarge(let limit): "the change exceeds the limit of \(limit.formatted(.byteCount(style: .memory)))"
        case .containsSecret(let name): "\(name) contains a secret, which must not be stored: add it in an interceptor"
        case .keyReused(let key): "the key \(key) is already used by another change: create another key"
        case .diskFull: "the disk is full and the change cannot be stored: free up space"
        }
    }
}
