import OrderLifecycle
import Orders

/// The rows of a courier's list, as the last page and the changes since have left them. A synchronous value.
struct CourierList {
    /// The consequence of a change for the page.
    enum Effect: Equatable {
        case none
        /// The row is sent again.
        case row(OrderID)
        /// The title or the number of new orders has changed.
        case screen
        /// The order is read again.
        case reload(Int)
    }

    private(set) var orders: [APIOrder] = []
    /// The orders in the list that are not open any more, or not the courier's.
    private(set) var left: Set<Int> = []
    /// The orders that became open since the list was loaded.
    private(set) var new: Set<Int> = []
    /// The cursor of the next page; nil at the end.
    private(set) var next: String?
    /// The position of the change feed up to which the rows are current; nil until a page has loaded.
    var position: String?
    /// The revision of the list, which increases with each replacement.
    private(set) var revision = 0
    var isLoading = false
    var failure: (any Error)?
    /// Whether the token of the page is not valid any more.
    var isSignedOut = false

    private var indices: [Int: Int] = [:]

    func index(of order: Int) -> Int? { indices[order] }

    mutating func replace(with page: APIOrderPage) {
        (orders, left, new, indices) = ([], [], [], [:])
        position = page.position
        revision += 1
        append(page)
    }

    /// Appends a page, without orders that moved into it while the list was read.
    mutating func append(_ page: APIOrderPage) {
        for order in page.orders where indices[order.id] == nil {
            indices[order.id] = orders.count
            orders.append(order)
            new.remove(order.id)
        }
        next = page.next
        (isLoading, failure) = (false, nil)
    }

    /// Replaces an order unless the list has a newer version of it, and returns whether it is in the list.
    mutating func update(_ order: APIOrder) -> Bool {
        guard let index = indices[order.id] else { return false }
        guard order.eventCount >= orders[index].eventCount else { return true }
        orders[index] = order
        left.remove(order.id)
        return true
    }

    /// Applies a change of the feed.
    mutating func apply(_ change: APIChange, _ scope: OrderService.Scope) -> Effect {
        let isListed = indices[change.order] != nil
        switch change.kind {
        case .event: return .reload(change.order)
        case .report: return .none
        case .left:
            let wasNew = new.remove(change.order) != nil
            guard isListed, left.insert(change.order).inserted else { return wasNew ? .screen : .none }
            return .row(OrderID(change.order))
        case .open:
            if isListed { return .reload(change.order) }
            return scope != .mine && new.insert(change.order).inserted ? .screen : .none
        }
    }
}
