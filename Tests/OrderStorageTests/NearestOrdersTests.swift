import OrderLifecycle
import OrderStorage
import Testing

@Suite("Nearest orders")
struct NearestOrdersTests {
    typealias Candidate = NearestOrders.Candidate

    private static func search(
        _ scope: BoardQuery.Scope = .open, limit: Int = 2, after cursor: PageCursor? = nil
    ) throws -> NearestOrders {
        let place = try #require(Coordinate(latitude: 10, longitude: 20))
        return try #require(NearestOrders(BoardQuery(scope, sort: .distance(from: place), limit: limit, after: cursor)))
    }

    @Test(arguments: [BoardQuery.Sort.id, .newest, .price, .due])
    func `Another sort has no search of the nearest orders`(sort: BoardQuery.Sort) {
        #expect(NearestOrders(BoardQuery(.open, sort: sort)) == nil)
    }

    @Test(
        arguments: [
            (nil, Candidate(metres: -1, id: 0), 0), (.distance(metres: 0, id: 7), Candidate(metres: 0, id: 7), 0),
            (.distance(metres: 12.5, id: 7), Candidate(metres: 12.5, id: 7), 0),
            (.distance(metres: nil, id: 7), Candidate(metres: .infinity, id: 7), 7),
        ] as [(PageCursor?, Candidate, Int)])
    func `A page starts after the last order of the previous page`(cursor: PageCursor?, start: Candidate, id: Int) throws {
        let search = try Self.search(after: cursor)

        #expect(search.start == start)
        #expect(search.lastUnlocatedID == id)
        #expect(search.count == 3)
    }

    @Test(
        arguments: [
            (nil, [100, 400, 1_600, 6_400, 25_600, 102_400, 409_600, 1_638_400, 6_553_600, .infinity]),
            (.distance(metres: 50, id: 1), [100, 400, 1_600, 6_400, 25_600, 102_400, 409_600, 1_638_400, 6_553_600, .infinity]),
            (.distance(metres: 1_000_000, id: 1), [1_500_000, 6_000_000, .infinity]),
            (.distance(metres: 13_400_000, id: 1), [.infinity]), (.distance(metres: nil, id: 1), []),
        ] as [(PageCursor?, [Double])])
    func `Circles grow from the previous page to the whole earth`(cursor: PageCursor?, radii: [Double]) throws {
        #expect(try Self.search(after: cursor).radii == radii)
    }

    @Test func `Orders that are not open are searched without a circle`() throws {
        let mina = PersonID(rawValue: "mina")

        for scope in [BoardQuery.Scope.held(by: mina), .visible(to: mina), .states([.open, .claimed])] {
            #expect(try Self.search(scope, after: .distance(metres: 5, id: 1)).radii == [.infinity])
            #expect(try Self.search(scope, after: .distance(metres: nil, id: 1)).radii == [])
        }
    }

    @Test(
        arguments: [
            ([], [], [], nil), ([5], [], [1], nil), ([5, 5], [], [1, 2], nil),
            ([5, 5, 9], [], [1, 2], .distance(metres: 5, id: 2)), ([5, 6], [8], [1, 2], .distance(metres: 6, id: 2)),
            ([5], [8], [1, 8], nil), ([5], [8, 9], [1, 8], .distance(metres: nil, id: 8)),
            ([], [7, 8], [7, 8], nil), ([], [7, 8, 9], [7, 8], .distance(metres: nil, id: 8)),
        ] as [([Double], [Int], [Int], PageCursor?)])
    func `A page has a next one if one order more than its limit is found`(
        distances: [Double], unlocatedIDs: [Int], ids: [Int], next: PageCursor?
    ) throws {
        let located = distances.enumerated().map { Candidate(metres: $1, id: $0 + 1) }

        let page = try Self.search().page(located, unlocatedIDs: unlocatedIDs)

        #expect(page.ids == ids)
        #expect(page.next == next)
    }

    @Test func `Pages of every size have each order once, equal distances by id`() throws {
        let metres: [Double] = [30, 5_000_000, 30, 0, 450, 19_000_000]
        let located = metres.enumerated().map { Candidate(metres: $1, id: $0 + 1) }

        for limit in 1...9 {
            var (ids, cursor): ([Int], PageCursor?) = ([], nil)
            repeat {
                let search = try Self.search(limit: limit, after: cursor)
                let page = Self.page(of: search, located, unlocatedIDs: [7, 8])
                ids += page.ids
                cursor = page.next
            } while cursor != nil && ids.count <= 8
            #expect(ids == [4, 1, 3, 5, 2, 6, 7, 8], "pages of \(limit)")
        }
    }

    /// Searches as a store does.
    private static func page(
        of search: NearestOrders, _ all: [Candidate], unlocatedIDs: [Int]
    ) -> (ids: [Int], next: PageCursor?) {
        let found = search.radii.lazy.map { radius in all.filter { $0 > search.start && $0.metres <= radius }.sorted() }
        let located = (found.first { $0.count >= search.count } ?? found.last ?? []).prefix(search.count)
        let unlocated = unlocatedIDs.filter { $0 > search.lastUnlocatedID }.prefix(search.count - located.count)
        return search.page(Array(located), unlocatedIDs: Array(unlocated))
    }
}
