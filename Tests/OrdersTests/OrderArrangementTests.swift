import Foundation
import LadingFeeds
import LadingTesting
import Testing

@testable import Orders

/// Which orders are shown, and in which order.
@Suite struct OrderArrangementTests {
    private static func facts(
        title: String = "", address: String = "", price: String = "1", currency: String = "USD", latitude: Double = 0,
        longitude: Double = 0, time: Double? = nil
    ) -> OrderFacts {
        OrderFacts(
            Order(
                id: 1, title: title, info: "", price: Decimal(string: price)!, currency: currency, itemCount: 0, deliveryDate: "",
                deliveryTime: time.map { Date(timeIntervalSince1970: $0) },
                location: OrderLocation(
                    address: address, radius: 1, radiusUnit: "km",
                    point: GeographicPoint(latitude: latitude, longitude: longitude)), items: [])
        )
    }

    /// The indices of rows as an arrangement shows them: those that are equal keep their places.
    private func shown(_ rows: [OrderFacts], _ arrangement: OrderArrangement) -> [Int] {
        let admitted = rows.indices.filter { arrangement.admits(rows[$0]) }
        return admitted.sorted { one, other in
            if arrangement.precedes(rows[one], rows[other]) { return true }
            return !arrangement.precedes(rows[other], rows[one]) && one < other
        }
    }

    // MARK: Search

    @Test(arguments: [
        ("", true), ("  \n ", true), ("apples", true), ("APPLES", true), ("main st", true), ("st main", true), ("ppl ain", true),
        ("pears", false), ("apples pears", false),
        ("applesmain", false), ("京", true), ("apples\nmain", true), ("12", true),
    ])
    func `Every word has to occur in the title or the address`(search: String, isShown: Bool) {
        #expect(OrderArrangement(search: search).admits(Self.facts(title: "Apples", address: "12 Main Street, 東京")) == isShown)
    }

    @Test(arguments: [
        ("Früchte", "fruchte"), ("fruchte", "FRÜCHTE"), ("Åsa", "asa"), ("Søren", "soren"), ("Łódź", "lodz"), ("Đorđe", "dorde"),
        ("Straße", "STRASSE"), ("STRASSE", "straße"),
        ("ẞ", "ss"), ("Ærø", "aero"), ("Œuvre", "oeuvre"), ("Iğdır", "igdir"), ("İstanbul", "istanbul"), ("ＦＵＬＬ　ｗｉｄｔｈ１２", "full width12"),
        ("ﬁsh", "fish"), ("naïve", "nai\u{308}ve"),
        ("nai\u{308}ve", "naive"), ("Ελλάς", "ελλασ"), ("Ёлка", "елка"), ("Þór", "thor"), ("Ǆ", "dz"), ("مُحَمَّد", "محمد"),
    ])
    func `Case, diacritics and width do not matter`(text: String, search: String) {
        #expect(OrderArrangement(search: search).admits(Self.facts(title: text)))
        #expect(OrderArrangement(search: text).admits(Self.facts(address: search)))
    }

    @Test(arguments: [("Tomaten", "tomatoes"), ("東京", "東大"), ("คำ", "คา"), ("a", "ä b")]) func `Other letters do matter`(
        text: String, search: String
    ) {
        #expect(!OrderArrangement(search: search).admits(Self.facts(title: text)))
    }

    @Test func `What is searched for is bounded`() {
        let word = String(repeating: "a", count: 200)

        #expect(OrderArrangement(search: word + "b").admits(Self.facts(title: word)))
    }

    @Test func `An arrangement without words and sort is plain`() {
        #expect(OrderArrangement().isPlain)
        #expect(OrderArrangement(search: " ", near: GeographicPoint("1,1")).isPlain)
        #expect(!OrderArrangement(search: "a").isPlain)
        #expect(!OrderArrangement(sort: .price).isPlain)
    }

    // MARK: Sort

    @Test func `Prices are sorted by currency, then amount, up and down`() {
        let rows = [("2", "USD"), ("10", "USD"), ("3", "EUR"), ("2.00", "USD"), ("-1", "EUR"), ("10.01", "USD")].map {
            Self.facts(price: $0, currency: $1)
        }

        #expect(shown(rows, .init(sort: .price)) == [4, 2, 0, 3, 1, 5])
        #expect(shown(rows, .init(sort: .priceDown)) == [2, 4, 5, 1, 0, 3])
    }

    @Test func `Prices that differ in the last of many digits are told apart`() {
        let rows = ["100000000000000000000.02", "100000000000000000000.01"].map { Self.facts(price: $0) }

        #expect(shown(rows, .init(sort: .price)) == [1, 0])
        #expect(shown(rows, .init(sort: .priceDown)) == [0, 1])
    }

    @Test func `Nearest is by great circle, across the date line and the pole`() {
        let near = GeographicPoint(latitude: 80, longitude: 179)
        let rows = [(80.0, 170.0), (80, -179), (79.999999, 179), (89, 0), (80, 179), (-80, -1)].map {
            Self.facts(latitude: $0, longitude: $1)
        }

        #expect(shown(rows, .init(sort: .nearest, near: near)) == [4, 2, 1, 0, 3, 5])
    }

    @Test func `Nearest to nothing keeps the order of the list`() {
        #expect(shown([Self.facts(latitude: 5), Self.facts(latitude: 1)], .init(sort: .nearest)) == [0, 1])
    }

    @Test func `Soonest first, what has no date last`() {
        let rows = [nil, 3, 1, nil, 2].map { Self.facts(time: $0) }

        #expect(shown(rows, .init(sort: .soonest)) == [2, 4, 1, 0, 3])
    }

    @Test func `Search and sort go together`() {
        let rows = [("Fish", "3"), ("Fish", "2"), ("Meat", "1")].map { Self.facts(title: $0, price: $1) }

        #expect(shown(rows, .init(search: "fish", sort: .price)) == [1, 0])
    }

    @Test(arguments: OrderSort.allCases) func `Every sort is a strict weak ordering`(sort: OrderSort) {
        var random = SeededRandom(for: "sorted by \(sort)")
        let arrangement = OrderArrangement(sort: sort, near: GeographicPoint("10,20"))
        let rows = (0..<40).map { _ in
            Self.facts(
                price: "\(Int.random(in: -3...3, using: &random)).\(Int.random(in: 0...1, using: &random))",
                currency: ["USD", "EUR"].randomElement(using: &random)!,
                latitude: Double(Int.random(in: 9...11, using: &random)), longitude: Double(Int.random(in: 19...21, using: &random)),
                time: Bool.random(using: &random) ? nil : Double(Int.random(in: 0...5, using: &random)))
        }
        func areEqual(_ one: OrderFacts, _ other: OrderFacts) -> Bool {
            !arrangement.precedes(one, other) && !arrangement.precedes(other, one)
        }
        for a in rows {
            #expect(!arrangement.precedes(a, a))
            for b in rows {
                #expect(!(arrangement.precedes(a, b) && arrangement.precedes(b, a)))
                for c in rows {
                    if arrangement.precedes(a, b), arrangement.precedes(b, c) { #expect(arrangement.precedes(a, c)) }
                    if areEqual(a, b), areEqual(b, c) { #expect(areEqual(a, c)) }
                }
            }
        }
    }

    // MARK: Points

    @Test(arguments: [
        ("51.5,-0.12", 51.5, -0.12), (" 51.5 , -0.12 ", 51.5, -0.12), ("90,180", 90, 180), ("-90,-180", -90, -180),
    ])
    func `A point is read`(text: String, latitude: Double, longitude: Double) {
        #expect(GeographicPoint(text) == GeographicPoint(latitude: latitude, longitude: longitude))
        #expect(GeographicPoint(text).flatMap { GeographicPoint("\($0)") } == GeographicPoint(text))
    }

    @Test(arguments: ["", "1", "1,", ",1", "1,2,3", "91,0", "0,181", "nan,0", "0,inf", "north,east"]) func `What is no point is refused`(
        text: String
    ) {
        #expect(GeographicPoint(text) == nil)
    }

    @Test(arguments: [
        (["1,2"], "1.0,2.0"), (["0,0", "10,20"], "5.0,10.0"), (["0,0", "10,20", "5,5"], "5.0,10.0"), (["0,170", "0,-170"], "0.0,180.0"),
        (["0,170", "0,-160"], "0.0,-175.0"), (["0,-100", "0,70"], "0.0,-15.0"),
    ])
    func `The centre of points is that of the smallest box around them`(points: [String], centre: String) {
        var box = GeographicBox()
        for point in points.compactMap(GeographicPoint.init) { box.add(point) }

        #expect(box.centre?.description == centre)
    }

    @Test func `Nothing has no centre`() {
        #expect(GeographicBox().centre == nil)
    }
}
