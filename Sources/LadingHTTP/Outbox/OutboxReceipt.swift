public import Foundation

/// What became of an entry of an outbox: it is kept for a while, so that a write that is added again is known.
public struct OutboxReceipt: Identifiable, Hashable, Sendable {
    /// How an entry left the outbox, without what came of it.
    public enum Outcome: String, Hashable, Sendable {
        /// The server has taken it.
        case sent
        /// The server will not take it.
        case refused
        /// Something later was decided before it was sent.
        case superseded
        /// It was older than `OutboxLimits.age`, and was given up.
        case expired
    }

    public let id: IdempotencyKey
    public let partition: String
    public let subject: String
    /// That of the request: `OutboxRequest.fingerprint`.
    public let fingerprint: String
    /// When it was decided, by the clock where that was.
    public let actionDate: Date
    /// When it came into the outbox, by the clock of the program.
    public let added: Date
    public let outcome: Outcome
    /// Why it was refused, in words for people.
    public let reason: String?
    /// What the server said when it took it: the beginning of the body of its reply.
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

    /// When it counts as decided, the same moment as before it ended: a clock that was far ahead when it came in is not believed.
    public var effectiveDate: Date { actionDate.correctingClockSkew(at: added) }

    public init(_ entry: OutboxEntry, _ outcome: Outcome, reason: String? = nil, responsePrefix: [UInt8] = [], ended: Date) {
        self.init(
            id: entry.id, partition: entry.partition, subject: entry.subject, fingerprint: entry.request.fingerprint, actionDate: entry.actionDate,
            added: entry.added, outcome: outcome, reason: reason, responsePrefix: responsePrefix, ended: ended)
    }
}
