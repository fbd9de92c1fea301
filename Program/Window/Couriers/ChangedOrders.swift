import LadingHTTP
import OrderLifecycle

/// The orders that a courier's list reads again, because they have changed. A synchronous value.
///
/// They are read in rounds, each order once however often it has changed. A change during a round causes another read.
struct ChangedOrders {
    /// An order that is read.
    struct Order: Equatable {
        let id: Int
        /// Whether it was open after its last change, so that all couriers see the same.
        let isOpen: Bool
    }

    /// The reads that follow each other without a pause.
    enum Round: Equatable {
        case orders([Order])
        /// The whole list, which takes fewer requests than so many orders.
        case list
    }

    /// The maximum number of orders that are read one by one, as many as leases end at once.
    static let limit = 200

    /// The orders that wait for the next round, one more than the limit at most, and whether each was open after its last change.
    private var waiting: [Int: Bool] = [:]
    /// The number of failed rounds in a row.
    private var failures = 0

    mutating func insert(_ order: Order) {
        if waiting.count <= Self.limit { waiting[order.id] = order.isOpen }
    }

    /// Returns the next reads, in the same order on all pages; nil if no order waits.
    mutating func nextRound() -> Round? {
        defer { waiting = [:] }
        guard waiting.count <= Self.limit else { return .list }
        return waiting.isEmpty ? nil : .orders(waiting.map { Order(id: $0.key, isOpen: $0.value) }.sorted { $0.id < $1.id })
    }

    /// The orders that wait and were not open after their last change: the list may not contain them.
    var waitingOwn: Set<Int> { Set(waiting.filter { !$0.value }.keys) }

    /// Removes the open orders that wait, because the list is read.
    mutating func removeOpen() { waiting = waiting.filter { !$0.value } }

    mutating func recordSuccess() { failures = 0 }

    /// Returns the delay before the list is read instead of the open orders of a round that has failed. The others wait for the next round.
    ///
    /// - Parameter unread: The orders that follow the one that could not be read, which is not read again: it might always fail.
    mutating func recordFailure(unread: ArraySlice<Order> = []) -> Duration {
        for order in unread where !order.isOpen && waiting[order.id] == nil { insert(order) }
        defer { failures += 1 }
        return OrderService.reconnectDelay(after: failures)
    }
}

// MARK: - Reads

extension OrderService {
    /// Returns an order that has changed; nil if the person may not see it, or another change follows.
    ///
    /// Pages share the read of an open order.
    func order(_ changed: ChangedOrders.Order, sharing reads: JoinedReads<Int, APIOrder?>) async throws -> APIOrder? {
        guard changed.isOpen else { return try await order(changed.id) }
        let (result, isOwn) = try await reads.value(for: changed.id, isRefusal: Self.isRefusal) { try await order(changed.id) }
        // An order that was taken meanwhile is not shown to others than its reader: the feed reports it to each of them.
        return isOwn || result?.state == .open ? result : nil
    }

    /// Whether a read has failed because its token is not valid any more.
    private static func isRefusal(_ error: any Error) -> Bool {
        if case BackendError.status(401, _, _) = error { true } else { false }
    }
}
