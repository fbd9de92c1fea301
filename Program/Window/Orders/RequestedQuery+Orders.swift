import LadingRecords
import Orders

extension RequestedQuery {
    /// Returns the query of orders.
    ///
    /// - Parameter defaultPoint: The reference point of `.nearest` when the page sends no position.
    func orderQuery(near defaultPoint: GeographicPoint?) -> OrderQuery {
        let order = sort.flatMap(OrderSort.init)
        return OrderQuery(search: searchText, sort: order, near: order == .nearest ? point ?? defaultPoint : nil)
    }

    /// Whether rows are sorted by price, and grouped under their currencies.
    var isByPrice: Bool { sort == OrderSort.price.rawValue || sort == OrderSort.priceDescending.rawValue }
}
