public import LadingHTTP

/// A change of an entry of an outbox.
public struct OutboxEvent: Sendable {
    /// The status that an entry has changed to.
    public enum Change: Sendable {
        case waiting(OutboxDelayReason)
        case sending
        case ended(OutboxOutcome)
    }

    /// The entry at the time of the event.
    public let entry: OutboxEntry
    public let change: Change

    /// Creates an event, for tests and previews.
    public init(entry: OutboxEntry, change: Change) {
        (self.entry, self.change) = (entry, change)
    }
}

/// The reason why an entry is not being sent.
public enum OutboxDelayReason: Sendable {
    /// Other entries come first, or the outbox does not run.
    case queued
    /// The network is offline.
    case offline
    /// The last attempt failed with this error; the next one starts after this delay.
    case retry(any Error, after: Duration)
}

/// The reason for which an entry was removed from the outbox.
public enum OutboxOutcome: Sendable {
    /// The server accepted the write, with a status of 200–299.
    case sent(BackendResponse)
    /// The server refused the write permanently.
    case refused(any Error)
    /// A write with a later decision on the same subject replaced this one before it was sent.
    case superseded
    /// The write was older than `OutboxLimits.age`.
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

    var responseBody: [UInt8] { if case .sent(let response) = self { response.body } else { [] } }
}

/// The current status of an entry in the outbox, or the receipt of one that has left it.
public enum OutboxStatus: Sendable {
    case waiting(OutboxEntry, OutboxDelayReason)
    /// The entry is being sent, or its outcome is being written to the journal.
    case sending(OutboxEntry)
    case ended(OutboxReceipt)
}
