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
        case reload(ChangedOrders.Order)
    }

    private(set) var orders: [APIOrder] = []
    /// The orders in the list that are not open any more, or not the courier's.
    private(set) var left: Set<Int> = []
    /// The orders without a row that became open or the courier's since the list was loaded.
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

    private let scope: OrderService.Scope
    /// The id of the person whose list it is.
    private let person: String
    private var indices: [Int: Int] = [:]

    init(_ scope: OrderService.Scope, of person: String) {
        (self.scope, self.person) = (scope, person)
    }

    func index(of order: Int) -> Int? { indices[order] }
}

// MARK: - Pages

extension CourierList {
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

    /// Updates the rows without moving any: orders that were not read again have left, and those without a row are new.
    ///
    /// - Parameters:
    ///   - page: The orders from the first one on, at least as many as there are rows.
    ///   - unread: The orders that are read next, because they may be the courier's. They have not left, although the page has none of them.
    mutating func update(with page: APIOrderPage, unread: Set<Int> = []) {
        let read = Set(page.orders.map(\.id))
        // Beyond the last common order the others may be on a later page.
        let end = page.next == nil ? orders.count : orders.lastIndex { read.contains($0.id) }.map { $0 + 1 } ?? 0
        let readEnd = next == nil ? page.orders.count : page.orders.lastIndex { indices[$0.id] != nil }.map { $0 + 1 } ?? 0
        let missing = orders[..<end].filter { !read.contains($0.id) && !unread.contains($0.id) && !isTakenByReader($0) }
        left = left.subtracting(read).union(missing.map(\.id))
        new = Set(page.orders[..<readEnd].map(\.id)).subtracting(indices.keys)
        for order in page.orders {
            if let index = indices[order.id] { orders[index] = order }
        }
        position = page.position
        (isLoading, failure) = (false, nil)
    }

    /// Whether an order stays in the list of open ones because the courier has taken it there.
    private func isTakenByReader(_ order: APIOrder) -> Bool { scope == .open && order.isHeld(by: person) }
}

// MARK: - Changes

extension CourierList {
    /// Applies a change of the feed.
    mutating func apply(_ change: APIChange) -> Effect {
        let isListed = indices[change.order] != nil
        switch change.kind {
        case .event:
            left.remove(change.order)
            return .reload(ChangedOrders.Order(id: change.order, isOpen: false))
        case .report: return .none
        case .left:
            let wasNew = new.remove(change.order) != nil
            guard isListed, left.insert(change.order).inserted else { return wasNew ? .screen : .none }
            return .row(OrderID(change.order))
        case .open:
            left.remove(change.order)
            if isListed { return .reload(ChangedOrders.Order(id: change.order, isOpen: true)) }
            // An own order that was given back is not the courier's any more.
            let isChanged = scope == .mine ? new.remove(change.order) != nil : new.insert(change.order).inserted
            return isChanged ? .screen : .none
        }
    }

    /// Applies an order that was read after a change: its row shows it, unless that has a newer version. Without a row it may be new.
    mutating func update(_ order: APIOrder) -> Effect {
        guard let index = indices[order.id] else {
            let isChanged = isNew(order) ? new.insert(order.id).inserted : new.remove(order.id) != nil
            return isChanged ? .screen : .none
        }
        guard order.eventCount >= orders[index].eventCount else { return .none }
        orders[index] = order
        return .row(order.orderID)
    }

    /// Whether an order without a row belongs to the list. One that was picked up already may be on a later page.
    private func isNew(_ order: APIOrder) -> Bool {
        switch scope {
        case .open: order.state == .open
        case .mine: isNewOwn(order)
        case .all: order.state == .open || isNewOwn(order)
        }
    }

    private func isNewOwn(_ order: APIOrder) -> Bool {
        order.isHeld(by: person) && (next == nil || order.state == .claimed)
    }
}
