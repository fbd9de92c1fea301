package import OrderLifecycle

/// A command to a store of orders, with the key that makes it safe to repeat.
package struct OrderStoreCommand: Hashable, Sendable {
    /// The requested change.
    package enum Change: Hashable, Sendable {
        /// - Parameter externalID: The identifier in another system, which at most one order has.
        case create(OrderContent, externalID: String?)
        /// - Parameter version: The version that the sender has read; nil for any.
        case edit(order: Int, OrderContent, version: OrderVersion?)
        case lifecycle(order: Int, OrderCommand)
        /// Applies an unsettled report to its order.
        case accept(order: Int, report: Int)
    }

    package let change: Change
    package let sender: OrderLifecycle.Sender
    /// The idempotency key, unique for its person.
    package let key: String
    /// A digest of the request; a key is accepted again only with the same one.
    package let fingerprint: String

    package init(_ change: Change, from sender: OrderLifecycle.Sender, key: String, fingerprint: String) {
        self.change = change
        self.sender = sender
        self.key = key
        self.fingerprint = fingerprint
    }

    /// The order of the command; nil if it creates one.
    package var order: Int? {
        switch change {
        case .create: nil
        case .edit(let order, _, _), .lifecycle(let order, _), .accept(let order, _): order
        }
    }
}

/// The stored outcome of a command.
package struct StoredVerdict: Codable, Hashable, Sendable {
    package enum Outcome: Codable, Hashable, Sendable {
        /// - Parameter events: The numbers of the new events; empty if the order already was as requested.
        case accepted(events: [Int])
        case reported(number: Int, OrderReport.Cause)
        case refused(OrderRejection)
        /// The order was edited, or the report settled, after the sender had read it.
        case changed(current: OrderVersion)
        /// Another order has the external id.
        case externalIDTaken(order: Int)
        /// The order has no report with the number.
        case reportUnknown
        case orderUnknown
    }

    package let outcome: Outcome
    /// The order; nil if none was created.
    package let order: Int?
    /// The state after the command.
    package let state: OrderState?
    package let version: OrderVersion?
    package let acceptanceTime: Timestamp

    package init(_ outcome: Outcome, order: Int?, state: OrderState?, version: OrderVersion?, acceptanceTime: Timestamp) {
        self.outcome = outcome
        self.order = order
        self.state = state
        self.version = version
        self.acceptanceTime = acceptanceTime
    }

    /// Whether repeating the command cannot have another outcome, so that the verdict is stored under its key.
    package var isFinal: Bool {
        if case .refused(let rejection) = outcome { rejection.isFinal } else { true }
    }
}

/// The result of a command in a store.
package struct CommandResult: Hashable, Sendable {
    package let verdict: StoredVerdict
    /// Whether the verdict was stored by an earlier command with the same key.
    package let isRepeated: Bool

    package init(_ verdict: StoredVerdict, isRepeated: Bool = false) {
        self.verdict = verdict
        self.isRepeated = isRepeated
    }
}
