public import Foundation

/// Why an outbox does not take a write.
public enum OutboxError: Error, Hashable {
    /// So many entries wait already.
    case full(limit: Int)
    /// The request is longer than the bound, in bytes.
    case tooLarge(limit: Int)
    /// What is named here lets somebody in, and would be written to the disk.
    case containsSecret(String)
    /// The key belongs to another write.
    case keyReused(IdempotencyKey)
    /// There is no room on the disk of the journal.
    case diskFull
}

extension OutboxError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .full(let limit): "\(limit) changes wait to be sent already: try again when some have been"
        case .tooLarge(let limit): "a change that waits to be sent has at most \(limit.formatted(.byteCount(style: .memory)))"
        case .containsSecret(let name): "\(name) holds a secret, which is not to be kept: let an interceptor add it"
        case .keyReused(let key): "the key \(key) belongs to another change"
        case .diskFull: "the disk is full, so that no change can be kept to be sent: make room"
        }
    }
}
