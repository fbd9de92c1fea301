public import LadingRecords

/// A sort order of deliveries. Deliveries without a value to sort by come last.
public enum DeliverySort: String, CaseIterable, Sendable {
    case title
    case address
    /// Ascending pickup time.
    case pickup
    /// Currency, then ascending fee.
    case fee
    /// Currency, then descending fee.
    case feeDescending = "feeDown"
    /// Ascending distance; deliveries without a location are omitted.
    case nearest

    /// Returns the order of a query for this sort.
    ///
    /// - Parameter near: The reference point of `nearest`; without it, that sort preserves the order of the list.
    func order(near: GeographicPoint?) -> RecordQuery.Order {
        switch self {
        case .title: .sorted(.title)
        case .address: .sorted(.address)
        case .pickup: .sorted(.pickup)
        case .fee: .sorted(.fee)
        case .feeDescending: .sorted(.fee, descending: true)
        case .nearest: near.map { .nearest($0) } ?? .serverOrder
        }
    }
}

extension RecordQuery {
    /// Creates a query that searches and sorts deliveries.
    ///
    /// - Parameters:
    ///   - sort: The sort; nil preserves the order of the list.
    ///   - near: The reference point of `DeliverySort.nearest`; without it, that sort preserves the order of the list.
    public init(search: String = "", sort: DeliverySort?, near: GeographicPoint? = nil) {
        self.init(search: search, order: sort?.order(near: near) ?? .serverOrder)
    }
}
