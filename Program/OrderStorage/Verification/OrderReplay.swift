package import OrderLifecycle

/// The replay of an order's events, which is compared with the stored order.
package struct OrderReplay: Hashable, Sendable {
    private var order = OrderLifecycle()
    /// The first fault of the events.
    private var fault: String?

    package init() {}

    /// Adds the next event.
    ///
    /// - Parameters:
    ///   - event: The event; nil if it cannot be read.
    ///   - number: The number under which it is stored.
    package mutating func add(_ event: OrderEvent?, number: Int) {
        guard fault == nil else { return }
        fault = fault(of: event, number: number)
        if fault == nil, let event { order.apply(event) }
    }

    private func fault(of event: OrderEvent?, number: Int) -> String? {
        let expected = order.eventCount + 1
        guard number == expected else { return "event \(expected) is missing" }
        guard let event, event.number == number else { return "event \(number) cannot be read" }
        let isPermitted = OrderTransition.allows(event.action, from: order.state, to: event.state)
        return isPermitted ? nil : "event \(number) is no permitted transition"
    }

    /// Returns the first fault of the events, or the first difference between them and the stored order, as text for users; nil if there is none.
    ///
    /// - Parameter fenceFloor: The first fence of the present epoch.
    package func problem(of record: OrderRecord, fenceFloor: Fence) -> String? {
        if let fault { return fault }
        guard order.eventCount >= record.version.eventCount else { return "event \(order.eventCount + 1) is missing" }
        var order = order
        order.beginEpoch(at: fenceFloor)
        guard order.state == record.state else { return "the state differs from the events" }
        let version = OrderVersion(fence: order.fence, eventCount: order.eventCount)
        guard version == record.version else { return "the version differs from the events" }
        guard record.state == .open || order.holder == record.holder else { return "the holder differs from the events" }
        guard order.attempts == record.attempts, order.heldSince == record.heldSince else { return "the attempts differ from the events" }
        return nil
    }
}
