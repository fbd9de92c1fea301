import Foundation
import LadingRecords
import LadingTesting
import Testing
@testable import Orders

/// Search and sort of orders.
@Suite struct OrderQueryTests {
    private static func fields(
        title: String = "", address: String = "", price: String? = "1", currency: String = "USD", latitude: Double = 0,
        longitude: Double = 0, time: Double? = nil
    ) -> OrderIndexedFields {
        OrderIndexedFields(
            Order(
                id: 1, title: title, info: "", price: price.flatMap { Decimal(string: $0) }, currency: currency, itemCount: 0,
                deliveryDate: "", deliveryTime: time.map { Date(timeIntervalSince1970: $0) },
                location: OrderLocation(
                    address: address, radius: 1, radiusUnit: "km",
                    point: GeographicPoint(latitude: latitude, longitude: longitude)), items: [])
        )
    }

    /// Returns the indices of the rows that match a query, in its order; equal rows retain their relative positions.
    private func indices(of rows: [OrderIndexedFields], matching query: OrderQuery) -> [Int] {
        let matching = rows.indices.filter { query.matches(rows[$0]) }
        return matching.sorted { one, other in
            if query.isOrderedBefore(rows[one], rows[other]) { return true }
            return !query.isOrderedBefore(rows[other], rows[one]) && one < other
        }
    }

    // MARK: Search

    @Test(arguments: [
        ("", true), ("  \n ", true), ("apples", true), ("APPLES", true), ("main st", true), ("st main", true), ("ppl ain", true),
        ("pears", false), ("apples pears", false),
        ("applesmain", false), ("京", true), ("apples\nmain", true), ("12", true),
    ])
    func `Every word must occur in the title or the address`(search: String, isShown: Bool) {
        #expect(OrderQuery(search: search).matches(Self.fields(title: "Apples", address: "12 Main Street, 東京")) == isShown)
    }

    @Test(arguments: [
        ("Früchte", "fruchte"), ("fruchte", "FRÜCHTE"), ("Åsa", "asa"), ("Søren", "soren"), ("Łódź", "lodz"), ("Đorđe", "dorde"),
        ("Straße", "STRASSE"), ("STRASSE", "straße"),
        ("ẞ", "ss"), ("Ærø", "aero"), ("Œuvre", "oeuvre"), ("Iğdır", "igdir"), ("İstanbul", "istanbul"), ("ＦＵＬＬ　ｗｉｄｔｈ１２", "full width12"),
        ("ﬁsh", "fish"), ("naïve", "nai\u{308}ve"),
        ("nai\u{308}ve", "naive"), ("Ελλάς", "ελλασ"), ("Ёлка", "елка"), ("Þór", "thor"), ("Ǆ", "dz"), ("مُحَمَّد", "محمد"),
    ])
    func `A search ignores case, diacritics and width`(text: String, search: String) {
        #expect(OrderQuery(search: search).matches(Self.fields(title: text)))
        #expect(OrderQuery(search: text).matches(Self.fields(address: search)))
    }

    @Test(arguments: [("Tomaten", "tomatoes"), ("東京", "東大"), ("คำ", "คา"), ("a", "ä b")]) func `A search distinguishes other letters`(
        text: String, search: String
    ) {
        #expect(!OrderQuery(search: search).matches(Self.fields(title: text)))
    }

    @Test func `The length of a search is bounded`() {
        let word = String(repeating: "a", count: 200)

        #expect(OrderQuery(search: word + "b").matches(Self.fields(title: word)))
        #expect(!OrderQuery(search: word).matches(Self.fields(title: String(word.dropLast()))))
    }

    @Test func `A query without words and sort is the default`() {
        #expect(OrderQuery().isDefault)
        #expect(OrderQuery(search: " ", near: GeographicPoint("1,1")).isDefault)
        #expect(!OrderQuery(search: "a").isDefault)
        #expect(!OrderQuery(sort: .price).isDefault)
    }

    // MARK: Sort

    @Test func `Prices are sorted by currency, then amount, up and down`() {
        let rows = [("2", "USD"), ("10", "USD"), ("3", "EUR"), ("2.00", "USD"), ("-1", "EUR"), ("10.01", "USD")].map {
            Self.fields(price: $0, currency: $1)
        }

        #expect(indices(of: rows, matching: .init(sort: .price)) == [4, 2, 0, 3, 1, 5])
        #expect(indices(of: rows, matching: .init(sort: .priceDescending)) == [2, 4, 5, 1, 0, 3])
    }

    @Test(arguments: [OrderSort.price, .priceDescending])
    func `An order without a price comes last`(sort: OrderSort) {
        let query = OrderQuery(sort: sort)
        let priced = Self.fields(price: "1")
        let unpriced = Self.fields(price: nil)

        #expect(query.isOrderedBefore(priced, unpriced))
        #expect(!query.isOrderedBefore(unpriced, priced))
    }

    @Test func `Prices that differ in their last digit are distinguished`() {
        let rows = ["100000000000000000000.02", "100000000000000000000.01"].map { Self.fields(price: $0) }

        #expect(indices(of: rows, matching: .init(sort: .price)) == [1, 0])
        #expect(indices(of: rows, matching: .init(sort: .priceDescending)) == [0, 1])
    }

    @Test func `Distances are great-circle distances, across the date line and the pole`() {
        let near = GeographicPoint(latitude: 80, longitude: 179)
        let rows = [(80.0, 170.0), (80, -179), (79.999999, 179), (89, 0), (80, 179), (-80, -1)].map {
            Self.fields(latitude: $0, longitude: $1)
        }

        #expect(indices(of: rows, matching: .init(sort: .nearest, near: near)) == [4, 2, 1, 0, 3, 5])
    }

    @Test func `Sorting by distance without a reference point preserves the order of the list`() {
        #expect(indices(of: [Self.fields(latitude: 5), Self.fields(latitude: 1)], matching: .init(sort: .nearest)) == [0, 1])
    }

    @Test func `Without a reference point, distances are from the center of the orders`() {
        let rows = [(0.0, 0.0), (10, 20)].map { Self.fields(latitude: $0, longitude: $1) }
        let near = GeographicPoint(latitude: 1, longitude: 1)
        let center = GeographicPoint(latitude: 5, longitude: 10)

        let query = OrderQuery(search: "a", sort: .nearest).resolved(with: rows)

        #expect(query == OrderQuery(search: "a", sort: .nearest, near: center))
        #expect(OrderQuery(sort: .nearest, near: near).resolved(with: rows).near == near)
        #expect(OrderQuery(sort: .price).resolved(with: rows).near == nil)
    }

    @Test func `Orders are sorted by delivery time, those without one last`() {
        let rows = [nil, 3, 1, nil, 2].map { Self.fields(time: $0) }

        #expect(indices(of: rows, matching: .init(sort: .earliest)) == [2, 4, 1, 0, 3])
    }

    @Test func `A search can be sorted`() {
        let rows = [("Fish", "3"), ("Fish", "2"), ("Meat", "1")].map { Self.fields(title: $0, price: $1) }

        #expect(indices(of: rows, matching: .init(search: "fish", sort: .price)) == [1, 0])
    }

    @Test(arguments: OrderSort.allCases.map(Optional.some) + [nil])
    func `No order comes before an equal one`(sort: OrderSort?) {
        let query = OrderQuery(sort: sort, near: GeographicPoint("10,20"))

        for order in [Self.fields(time: 1), Self.fields(price: nil)] { #expect(!query.isOrderedBefore(order, order)) }
    }

    @Test(arguments: OrderSort.allCases) func `Every sort is a strict weak ordering`(sort: OrderSort) {
        var random = SeededRandom(for: "sorted by \(sort)")
        let query = OrderQuery(sort: sort, near: GeographicPoint("10,20"))
        let rows = (0..<40).map { _ in
            Self.fields(
                price: "\(Int.random(in: -3...3, using: &random)).\(Int.random(in: 0...1, using: &random))",
                currency: ["USD", "EUR"].randomElement(using: &random)!,
                latitude: Double(Int.random(in: 9...11, using: &random)), longitude: Double(Int.random(in: 19...21, using: &random)),
                time: Bool.random(using: &random) ? nil : Double(Int.random(in: 0...5, using: &random)))
        }
        func areEqual(_ one: OrderIndexedFields, _ other: OrderIndexedFields) -> Bool {
            !query.isOrderedBefore(one, other) && !query.isOrderedBefore(other, one)
        }
        for a in rows {
            #expect(!query.isOrderedBefore(a, a))
            for b in rows {
                #expect(!(query.isOrderedBefore(a, b) && query.isOrderedBefore(b, a)))
                for c in rows {
                    if query.isOrderedBefore(a, b), query.isOrderedBefore(b, c) { #expect(query.isOrderedBefore(a, c)) }
                    if areEqual(a, b), areEqual(b, c) { #expect(areEqual(a, c)) }
                }
            }
        }
    }

    // MARK: Points

    @Test(arguments: [
        ("51.5,-0.12", 51.5, -0.12), (" 51.5 , -0.12 ", 51.5, -0.12), ("90,180", 90, 180), ("-90,-180", -90, -180),
    ])
    func `A point is parsed from text`(text: String, latitude: Double, longitude: Double) {
        #expect(GeographicPoint(text) == GeographicPoint(latitude: latitude, longitude: longitude))
        #expect(GeographicPoint(text).flatMap { GeographicPoint("\($0)") } == GeographicPoint(text))
    }

    @Test(arguments: ["", "1", "1,", ",1", "1,2,3", "91,0", "0,181", "nan,0", "0,inf", "north,east"]) func `An invalid point is nil`(
        text: String
    ) {
        #expect(GeographicPoint(text) == nil)
    }

    @Test(arguments: [
        (["1,2"], "1.0,2.0"), (["0,0", "10,20"], "5.0,10.0"), (["0,0", "10,20", "5,5"], "5.0,10.0"), (["0,170", "0,-170"], "0.0,180.0"),
        (["0,170", "0,-160"], "0.0,-175.0"), (["0,-100", "0,70"], "0.0,-15.0"),
    ])
    func `The center of points is that of their bounding box`(points: [String], center: String) {
        var box = GeographicBoundingBox()
        for point in points.compactMap(GeographicPoint.init) { box.add(point) }

        #expect(box.center?.description == center)
    }

    @Test func `An empty bounding box has no center`() {
        #expect(GeographicBoundingBox().center == nil)
    }
}
