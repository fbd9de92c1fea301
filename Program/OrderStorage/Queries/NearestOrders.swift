/// The search for a page of the orders nearest to a place, followed by those without a place, by id.
///
/// A store searches one circle around the place after the other, until one contains `count` orders after `start`. If none does, the orders
/// without a place follow.
package struct NearestOrders: Sendable {
    /// An order that was found.
    package struct Candidate: Comparable, Sendable {
        /// The distance from the place; infinite for an order without a place.
        package let metres: Double
        package let id: Int

        package init(metres: Double, id: Int) {
            (self.metres, self.id) = (metres, id)
        }

        package static func < (left: Self, right: Self) -> Bool { (left.metres, left.id) < (right.metres, right.id) }
    }

    /// The radius of the first circle, in metres.
    private static let firstRadius = 100.0
    /// The factor between the radii of two circles.
    private static let radiusFactor = 4.0
    /// Half of the circumference of the earth, in metres: every place is nearer.
    private static let maximumDistance = 20_100_000.0

    package let query: BoardQuery
    package let place: Coordinate
    /// The end of the previous page, which the orders of this one follow.
    package private(set) var start = Candidate(metres: -1, id: 0)

    /// Creates a search; nil for a query with another sort.
    package init?(_ query: BoardQuery) {
        guard case .distance(let place) = query.sort else { return nil }
        (self.query, self.place) = (query, place)
        if case .distance(let metres, let id) = query.after { start = Candidate(metres: metres ?? .infinity, id: id) }
    }

    /// The number of orders to find: one more than the page has.
    package var count: Int { query.limit + 1 }

    /// The id after which the orders without a place are searched.
    package var lastUnlocatedID: Int { start.metres.isFinite ? 0 : start.id }

    /// The radii of the circles, in metres, the last one infinite; empty where only orders without a place follow.
    ///
    /// Only the places of open orders have an index: other orders are searched without a circle.
    package var radii: [Double] {
        guard start.metres.isFinite else { return [] }
        guard query.scope == .open else { return [.infinity] }
        let first = max(Self.firstRadius, start.metres * 1.5)
        let circles = sequence(first: first) { $0 * Self.radiusFactor }.prefix { $0 < Self.maximumDistance }
        return circles + [.infinity]
    }

    /// Returns the ids of the orders of the page, and the cursor of the next one; nil for the last page.
    ///
    /// - Parameters:
    ///   - located: The first orders after `start`, sorted, at most `count`.
    ///   - unlocatedIDs: The first ids of the orders without a place, which complete `count` where there are enough.
    package func page(_ located: [Candidate], unlocatedIDs: [Int]) -> (ids: [Int], next: PageCursor?) {
        let found = located + unlocatedIDs.map { Candidate(metres: .infinity, id: $0) }
        let page = found.prefix(query.limit)
        let last = found.count > query.limit ? page.last : nil
        return (page.map(\.id), last.map { PageCursor.distance(metres: $0.metres.isFinite ? $0.metres : nil, id: $0.id) })
    }
}
