public import LadingFeeds

extension OrderQuery: FeedQuery {
    public static func indexedFields(of order: Order) -> OrderIndexedFields { OrderIndexedFields(order) }

    /// Returns the query with the center of the region as the default of `near` when the sort is `.nearest`.
    public func resolved(with fields: some Collection<OrderIndexedFields>) -> OrderQuery {
        guard sort == .nearest, near == nil else { return self }
        var region = GeographicBoundingBox()
        for point in fields.lazy.compactMap(\.point) { region.add(point) }
        return OrderQuery(search: search, sort: sort, near: region.center)
    }
}
