import OrderLifecycle

/// The sort values of the last order of a page.
package enum PageCursor: Codable, Hashable, Sendable {
    case id(Int)
    case newest(id: Int)
    case price(currency: String, amount: Int, id: Int)
    /// - Parameter due: In milliseconds; nil after the orders with a time.
    case due(Int64?, id: Int)
    /// - Parameter metres: Nil after the orders with a place.
    case distance(metres: Double?, id: Int)
}

extension PageCursor: Comparable {
    /// Returns whether an order precedes another one; both cursors are of the same sort.
    package static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.id(let left), .id(let right)): left < right
        case (.newest(let left), .newest(let right)): left > right
        case (.price(let leftCurrency, let leftAmount, let left), .price(let rightCurrency, let rightAmount, let right)):
            (leftCurrency, leftAmount, left) < (rightCurrency, rightAmount, right)
        case (.due(let leftDue, let left), .due(let rightDue, let right)):
            (leftDue ?? .max, left) < (rightDue ?? .max, right)
        case (.distance(let leftMetres, let left), .distance(let rightMetres, let right)):
            (leftMetres ?? .infinity, left) < (rightMetres ?? .infinity, right)
        default: false
        }
    }
}

extension BoardQuery {
    /// Returns the cursor after an order, in the sort of the query.
    package func cursor(after order: OrderRecord) -> PageCursor {
        switch sort {
        case .id: .id(order.id)
        case .newest: .newest(id: order.id)
        case .price:
            .price(currency: order.content.currency, amount: order.content.amount, id: order.id)
        case .due: .due(order.content.due?.milliseconds, id: order.id)
        case .distance(let place):
            .distance(metres: order.content.destination.coordinate.map(place.distance), id: order.id)
        }
    }
}
