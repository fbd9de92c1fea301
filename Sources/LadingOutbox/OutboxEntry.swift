public import Foundation
import TextComparison

/// A pending write of an outbox.
public struct OutboxEntry: Identifiable, Hashable, Sendable {
    /// The idempotency key that the server receives.
    public let id: IdempotencyKey
    /// The owner of the write.
    public let partition: String
    /// The entity that the write changes, such as `deliveries/7/favourite`.
    public let subject: String
    public let request: OutboxRequest
    /// The client's timestamp of the user's action.
    public let actionDate: Date
    /// The date of insertion into the outbox, by the clock of the program.
    public let added: Date
    /// Whether the write determines the whole state of its subject, so that earlier decisions need not be sent.
    public let supersedesPrevious: Bool
    /// The position among the entries of a journal, which assigns it.
    public var position: Int64
    /// The number of failed attempts.
    public var attempts = 0
    /// The description of the last failure, for users.
    public var lastFailure: String?

    public init(
        id: IdempotencyKey, partition: String = "", subject: String, request: OutboxRequest, actionDate: Date, added: Date,
        supersedesPrevious: Bool = false, position: Int64 = 0
    ) {
        self.id = id
        self.partition = partition
        self.subject = subject
        self.request = request
        self.actionDate = actionDate
        self.added = added
        self.supersedesPrevious = supersedesPrevious
        self.position = position
    }

    /// The action date, corrected for clock skew.
    var effectiveDate: Date { actionDate.correctingClockSkew(at: added) }

    /// Whether this entry makes another one about the same subject redundant.
    ///
    /// The later decision wins, regardless of the order of insertion; of two with the same date, the one that was inserted later.
    func supersedes(_ other: OutboxEntry) -> Bool {
        guard supersedesPrevious, id != other.id, subject.hasSameBytes(as: other.subject) else { return false }
        if position > other.position { return effectiveDate >= other.effectiveDate }
        return other.supersedesPrevious && effectiveDate > other.effectiveDate
    }
}

extension Date {
    /// The tolerated clock skew, in seconds. Dates further ahead are replaced with the current one, or nothing could ever be later.
    private static let clockSkewTolerance: TimeInterval = 300

    /// Returns this date, or `now` if the date is too far ahead of it.
    func correctingClockSkew(at now: Date) -> Date { self > now + Self.clockSkewTolerance ? now : self }
}
