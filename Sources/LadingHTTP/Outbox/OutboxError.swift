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
        case .full(let limit): "\(limit) changes wait to be sent already: try again when some have been"
        case .tooLarge(let limit): "a change that waits to be sent has at most \(limit.formatted(.byteCount(style: .memory)))"
        case .containsSecret(let name): "\(name) holds a secret, which must not be stored: let an interceptor add it"
        case .keyReused(let key): "the key \(key) belongs to another change"
        case .diskFull: "the disk is full, so that no change can be kept to be sent: make room"
        }
    }
}
