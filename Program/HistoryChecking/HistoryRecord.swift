package import OrderLifecycle

/// A line of a recorded history: a request, a response, a confirmation, or something read at the end.
package struct HistoryRecord: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// A client sends a command.
        case invoke
        /// A client receives the response to a command.
        case response = "answer"
        /// A client shows an action as done; it may be offline.
        case confirm
        /// A client reads the version of an order.
        case read
        /// A client receives an event by the change feed, which it has read since before the first order.
        case change
        /// The whole history of an order, read after quiet.
        case history
        /// A proof of an order, downloaded after quiet; its digest is that of the bytes.
        case proof
    }

    package enum Outcome: String, Codable, Sendable { case accepted, reported, refused }

    package var kind: Kind
    /// The time in milliseconds by the clock of the recorder.
    package var time: Int64
    /// The person.
    package var client: String
    package var order: Int
    package var key: String?
    package var action: OrderAction?
    /// The fence of the command.
    package var fence: Fence?
    package var outcome: Outcome?
    /// Whether a rejection is final.
    package var isFinal: Bool?
    /// The numbers of the events of an accepted command, or of a change.
    package var events: [Int]?
    /// The fence after an accepted command, or of a read order.
    package var currentFence: Fence?
    /// The number of events of a read order.
    package var eventCount: Int?
    package var state: OrderState?
    package var holder: PersonID?
    package var leaseEnd: Timestamp?
    package var deadline: Timestamp?
    /// Whether the order was listed among those that need attention.
    package var needsAttention: Bool?
    package var history: [OrderEvent]?
    package var reports: [OrderReport]?
    package var proofs: [ProofDigest]?

    package init(_ kind: Kind, time: Int64, client: String, order: Int) {
        self.kind = kind
        self.time = time
        self.client = client
        self.order = order
    }

    /// Whether durations can be added to its times without overflow; a file can contain any number.
    var hasValidTimes: Bool {
        let times: ClosedRange<Int64> = -1 << 53...1 << 53
        return times.contains(time) && times.contains(leaseEnd?.milliseconds ?? 0)
    }
}
