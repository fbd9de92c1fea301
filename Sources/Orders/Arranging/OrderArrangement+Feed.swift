public import LadingFeeds

extension OrderArrangement: FeedArrangement {
    public static func facts(of order: Order) -> OrderFacts { OrderFacts(order) }

    /// Who does not say what "nearest" is near to means the middle of the region.
    public func completed(by facts: some Collection<OrderFacts>) -> OrderArrangement {
        guard sort == .nearest, near == nil else { return self }
        var region = GeographicBox()
        for point in facts.lazy.compactMap(\.point) { region.add(point) }
        return OrderArrangement(search: search, sort: sort, near: region.centre)
    }
}
