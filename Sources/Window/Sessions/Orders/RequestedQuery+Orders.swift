import LadingFeeds
import Orders

extension RequestedQuery {
    /// The wish as orders understand it.
    ///
    /// - Parameter place: Stands in for a position that is not told.
    func orderQuery(near defaultPoint: GeographicPoint?) -> OrderQuery {
        let order = sort.flatMap(OrderSort.init)
        return OrderQuery(search: searchText, sort: order, near: order == .nearest ? point ?? defaultPoint : nil)
    }

    /// Whether rows are compared by price, and so stand under their currencies.
    var isByPrice: Bool { sort == OrderSort.price.rawValue || sort == OrderSort.priceDescending.rawValue }
}
