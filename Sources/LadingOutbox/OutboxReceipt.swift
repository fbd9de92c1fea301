public import Foundation

/// The outcome of an entry that was removed from the outbox, retained for a time to recognize a write that is added again.
public struct OutboxReceipt: Identifiable, Hashable, Sendable {
    /// The reason for which an entry was removed from the outbox, without its result.
    public enum Outcome: String, Hashable, Sendable {
        /// The server accepted the write.
        case sent
        /// The server refused the write permanently.
        case refused
        /// A later decision replaced the write before it was sent.
        case superseded
        /// The write was older than `OutboxLimits.age`.
        case expired
    }

    public let id: IdempotencyKey
    public let partition: String
    public let subject: String
    /// The fingerprint of the request (`OutboxRequest.fingerprint`).
    public let fingerprint: String
    /// The client's timestamp of the user's action.
    public let actionDate: Date
    /// The date of insertion into the outbox, by the clock of the program.
    public let added: Date
    public let outcome: Outcome
    /// The reason of a rejection, for users.
    public let reason: String?
    /// The beginning of the response body of an accepted write.
    public let responsePrefix: [UInt8]
    public let ended: Date

    public init(
        id: IdempotencyKey, partition: String = "", subject: String, fingerprint: String, actionDate: Date, added: Date,
        outcome: Outcome, reason: String? = nil, responsePrefix: [UInt8] = [], ended: Date
    ) {
        self.id = id
        self.partition = partition
        self.subject = subject
        self.fingerprint = fingerprint
        self.actionDate = actionDate
        self.added = added
        self.outcome = outcome
        self.reason = reason
        self.responsePrefix = responsePrefix
        self.ended = ended
    }

    /// The action date, corrected for clock skew as it was when the entry was pending.
    package var effectiveDate: Date { actionDate.correctingClockSkew(at: added) }

    package init(_ entry: OutboxEntry, _ outcome: Outcome, reason: String? = nil, responsePrefix: [UInt8] = [], ended: Date) {
        self.init(
            id: entry.id, partition: entry.partition, subject: entry.subject, fingerprint: entry.request.fingerprint,
            actionDate: entry.actionDate,
            added: entry.added, outcome: outcome, reason: reason, responsePrefix: responsePrefix, ended: ended)
    }
}
