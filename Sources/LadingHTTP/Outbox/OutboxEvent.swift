/// Something that happened to an entry of an outbox.
public struct OutboxEvent: Sendable {
    /// How an entry stands since it happened.
    public enum Change: Sendable {
        case waiting(OutboxDelayReason)
        case sending
        case ended(OutboxOutcome)
    }

    /// The entry as it was then.
    public let entry: OutboxEntry
    public let change: Change
}

/// Why an entry is not being sent.
public enum OutboxDelayReason: Sendable {
    /// Others come first, or the outbox does not run.
    case queued
    /// There is no network.
    case offline
    /// The last attempt failed for this reason; the next is made so long after it.
    case retry(any Error, after: Duration)
}

/// How an entry left the outbox.
public enum OutboxOutcome: Sendable {
    /// The server has taken it, with a status of 200–299.
    case sent(BackendResponse)
    /// The server will not take it, now or later.
    case refused(any Error)
    /// Something later was decided before it was sent.
    case superseded
    /// It was older than `OutboxLimits.age`, and was given up.
    case expired

    var receiptOutcome: OutboxReceipt.Outcome {
        switch self {
        case .sent: .sent
        case .refused: .refused
        case .superseded: .superseded
        case .expired: .expired
        }
    }

    var reason: String? { if case .refused(let error) = self { "\(error)" } else { nil } }

    var responseBody: [UInt8] { if case .sent(let reply) = self { reply.body } else { [] } }
}

/// What there is to know of an entry at the moment.
public enum OutboxStatus: Sendable {
    case waiting(OutboxEntry, OutboxDelayReason)
    /// It is under way, or how that ended is being written down.
    case sending(OutboxEntry)
    case ended(OutboxReceipt)
}
