package import OrderLifecycle

/// A stored order: its content, and the state that its events have led to.
package struct OrderRecord: Hashable, Sendable {
    package let id: Int
    package let content: OrderContent
    package let state: OrderState
    package let version: OrderVersion
    /// The courier who has the order; of a final state, the one who had it.
    package let holder: PersonID?
    package let heldSince: Timestamp?
    package let leaseEnd: Timestamp?
    package let deadline: Timestamp?
    package let attempts: Int
    /// The number of reports that no dispatcher has settled.
    package let openReports: Int
    /// The identifier of the order in another system; nil if it has none.
    package let externalID: String?
    /// Whether the order is one of the demo's that nobody has edited.
    package let isDemo: Bool

    package init(
        id: Int, content: OrderContent, state: OrderState, version: OrderVersion, holder: PersonID?, heldSince: Timestamp?,
        leaseEnd: Timestamp?, deadline: Timestamp?, attempts: Int, openReports: Int, externalID: String?, isDemo: Bool = false
    ) {
        self.id = id
        self.content = content
        self.state = state
        self.version = version
        self.holder = holder
        self.heldSince = heldSince
        self.leaseEnd = leaseEnd
        self.deadline = deadline
        self.attempts = attempts
        self.openReports = openReports
        self.externalID = externalID
        self.isDemo = isDemo
    }

    package var fence: Fence { version.fence }

    /// Whether the order is among those that need attention.
    package func needsAttention(at now: Timestamp) -> Bool { !attention(at: now).isEmpty }
}

/// The version of an order: its fence and the number of its last event, written `4.9`.
package struct OrderVersion: Codable, Hashable, Sendable {
    package let fence: Fence
    package let eventCount: Int

    package init(fence: Fence, eventCount: Int) {
        self.fence = fence
        self.eventCount = eventCount
    }

    /// Parses `4.9`; nil for another form.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let fence = parts[0], let count = parts[1], fence >= 0, count >= 0 else { return nil }
        self.init(fence: Fence(rawValue: fence), eventCount: count)
    }

    package var text: String { "\(fence.rawValue).\(eventCount)" }
}
