public import Foundation

/// A write that is on its way to a server, and has not been taken or refused yet.
public struct OutboxEntry: Identifiable, Hashable, Sendable {
    /// What the server knows it by.
    public let id: IdempotencyKey
    /// Whose it is.
    public let partition: String
    /// What it changes: `deliveries/7/favourite`.
    public let subject: String
    public let request: OutboxRequest
    /// When somebody decided it, by the clock where that was.
    public let actionDate: Date
    /// When it came into the outbox, by the clock of the program.
    public let added: Date
    /// Whether it says all there is to say of its subject, so that what was decided before it need not be sent any more.
    public let supersedesEarlier: Bool
    /// Where it stands among the entries of a journal, which gives the numbers.
    public var position: Int64
    /// How often it was sent without being taken.
    public var attempts = 0
    /// Why it was not taken the last time, in words for people.
    public var lastFailure: String?

    public init(
        id: IdempotencyKey, partition: String = "", subject: String, request: OutboxRequest, actionDate: Date, added: Date,
        supersedesEarlier: Bool = false, position: Int64 = 0
    ) {
        self.id = id
        self.partition = partition
        self.subject = subject
        self.request = request
        self.actionDate = actionDate
        self.added = added
        self.supersedesEarlier = supersedesEarlier
        self.position = position
    }

    /// When it counts as decided.
    var effectiveDate: Date { actionDate.correctingClockSkew(at: added) }

    /// Whether what this says makes another entry about the same subject needless.
    ///
    /// What was decided later counts, whichever came in first; of two decisions of one moment it is the one that came in later.
    func supersedes(_ other: OutboxEntry) -> Bool {
        guard supersedesEarlier, id != other.id, subject == other.subject else { return false }
        if position > other.position { return effectiveDate >= other.effectiveDate }
        return other.supersedesEarlier && effectiveDate > other.effectiveDate
    }
}

extension Date {
    /// How far ahead of this clock another may be, in seconds. What is later than that counts as done now, or nothing could ever be later.
    private static let clockSkewTolerance: TimeInterval = 300

    /// This moment, told by another clock, or now if it cannot have been yet.
    func correctingClockSkew(at now: Date) -> Date { self > now + Self.clockSkewTolerance ? now : self }
}
