public import LadingFeeds

/// An order that deliveries can be brought into. Those that lack what they are sorted by come last.
public enum DeliverySort: String, CaseIterable, Sendable {
    case title
    case address
    /// From the earliest pickup on.
    case pickup
    /// By currency, then from the lowest fee up.
    case fee
    /// From the highest fee down.
    case feeDescending = "feeDown"
    /// From the nearest to the farthest; those without a location are left out.
    case nearest

    /// - Parameter near: What `nearest` is near to; without it, that sort keeps the order of the list.
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
    /// The deliveries that are found by these words, in this order.
    ///
    /// - Parameters:
    ///   - sort: nil keeps the order of the list.
    ///   - near: What `DeliverySort.nearest` is near to; without it, that sort keeps the order of the list.
    public init(search: String = "", sort: DeliverySort?, near: GeographicPoint? = nil) {
        self.init(search: search, order: sort?.order(near: near) ?? .serverOrder)
    }
}
