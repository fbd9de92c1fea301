package import OrderLifecycle

/// An event or a report, at its position in the change feed.
package struct OrderChange: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case event(OrderEvent)
        case report(number: Int, OrderReport)
    }

    package let position: ChangePosition
    package let order: Int
    package let content: Content
    /// The courier who held the order before and may see that it left.
    package let previousHolder: PersonID?
    /// Whether the order was open before.
    package let wasOpen: Bool

    package init(position: ChangePosition, order: Int, content: Content, previousHolder: PersonID? = nil, wasOpen: Bool = false) {
        self.position = position
        self.order = order
        self.content = content
        self.previousHolder = previousHolder
        self.wasOpen = wasOpen
    }
}

/// A part of the change feed.
package struct ChangePage: Hashable, Sendable {
    package let changes: [OrderChange]
    /// The position after the changes, from which the feed continues.
    package let position: ChangePosition
    /// Whether more changes follow now.
    package let hasMore: Bool
    /// Whether changes are stored that follow once an older transaction has ended.
    package let isHeldBack: Bool

    package init(changes: [OrderChange], position: ChangePosition, hasMore: Bool, isHeldBack: Bool = false) {
        self.changes = changes
        self.position = position
        self.hasMore = hasMore
        self.isHeldBack = isHeldBack
    }
}

/// The whole history of an order.
package struct OrderHistory: Hashable, Sendable {
    package let record: OrderRecord
    package let events: [OrderEvent]
    package let reports: [StoredReport]
    package let proofs: [ProofRecord]
    /// The first fence of the present epoch.
    package let fenceFloor: Fence

    package init(
        record: OrderRecord, events: [OrderEvent], reports: [StoredReport], proofs: [ProofRecord], fenceFloor: Fence = .initial
    ) {
        self.record = record
        self.events = events
        self.reports = reports
        self.proofs = proofs
        self.fenceFloor = fenceFloor
    }

    /// Whether a courier has or had the order, as far as is known: an earlier epoch may have been lost.
    package func mayHaveBeenHeld(by person: PersonID) -> Bool {
        fenceFloor > .initial || events.contains { $0.holder == person }
    }
}

/// A report of an order, with the decision of a dispatcher.
package struct StoredReport: Hashable, Sendable {
    /// The place among the reports of the order: 1, 2, 3, ….
    package let number: Int
    package let report: OrderReport
    /// Whether a dispatcher has accepted it, or has decided otherwise since.
    package let isSettled: Bool

    package init(number: Int, report: OrderReport, isSettled: Bool) {
        self.number = number
        self.report = report
        self.isSettled = isSettled
    }
}
