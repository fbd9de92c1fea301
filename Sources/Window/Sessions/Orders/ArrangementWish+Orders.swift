import LadingFeeds
import Orders

extension ArrangementWish {
    /// The wish as orders understand it.
    ///
    /// - Parameter place: Stands in for a position that is not told.
    func arrangement(near place: GeographicPoint?) -> OrderArrangement {
        let order = sort.flatMap(OrderSort.init)
        return OrderArrangement(search: searchText, sort: order, near: order == .nearest ? point ?? place : nil)
    }

    /// Whether rows are compared by price, and so stand under their currencies.
    var isByPrice: Bool { sort == OrderSort.price.rawValue || sort == OrderSort.priceDown.rawValue }
}
