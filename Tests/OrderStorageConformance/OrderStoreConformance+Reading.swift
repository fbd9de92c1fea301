import OrderLifecycle
import OrderStorage
import Testing

extension OrderStoreConformance.Case {
    private typealias Context = OrderStoreContext

    private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate? {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    static let reading = [
        Self("Pages sorted by distance contain each open order once, the nearest first and those without a place last") { context in
            // Far, near, across the 180th meridian, and nowhere.
            let places = [place(40, 170), place(0.001, 179.999), place(0, -179.999), nil, place(-60, 10), nil]
            for (number, place) in places.enumerated() {
                _ = try await context.create("Order \(number)") { $0.destination.coordinate = place }
            }
            let origin = try #require(place(0, 180))

            for limit in [1, 2, 3, 100] {
                let titles = try await context.titles(BoardQuery(.open, sort: .distance(from: origin), limit: limit))
                #expect(titles == [2, 1, 0, 4, 3, 5].map { "Order \($0)" }, "pages of \(limit)")
            }
        },
        Self("Pages sorted by price are ordered by currency, then amount") { context in
            for (title, price, currency) in [("a", "10.00", "USD"), ("b", "9.99", "USD"), ("c", "100", "EUR"), ("d", "9.990", "USD")] {
                _ = try await context.create(title) { ($0.price, $0.currency) = (price, currency) }
            }

            for limit in [1, 3] {
                #expect(try await context.titles(BoardQuery(.open, sort: .price, limit: limit)) == ["c", "b", "d", "a"])
            }
        },
        Self("Pages sorted by time have orders without a time last") { context in
            for (title, due) in [("a", 20), ("b", nil), ("c", 10), ("d", 20)] as [(String, Int64?)] {
                _ = try await context.create(title) { $0.due = due.map(Timestamp.init(milliseconds:)) }
            }

            for limit in [1, 2, 100] {
                #expect(try await context.titles(BoardQuery(.open, sort: .due, limit: limit)) == ["c", "a", "d", "b"])
            }
        },
        Self("A text finds the starts of words in title, address and note, without accents, and never fails") { context in
            _ = try await context.create("Crème brûlée")
            _ = try await context.create("Soup") { $0.destination.address = "7 Harbour Lane" }
            _ = try await context.create("Bread") { $0.note = "Ring at Müller" }

            #expect(try await context.titles(BoardQuery(.open, text: "creme BRUL")) == ["Crème brûlée"])
            #expect(try await context.titles(BoardQuery(.open, text: "harb")) == ["Soup"])
            #expect(try await context.titles(BoardQuery(.open, text: "muller")) == ["Bread"])
            #expect(try await context.titles(BoardQuery(.open, text: "nothing")) == [])
            for text in ["\"", "*", "a OR b", "title:x", "(", "NEAR(", "-", "'; DROP TABLE orders", "😀", "\u{D4E}\"", "a\u{301}\" OR \"b"] {
                _ = try await context.titles(BoardQuery(.open, text: text))
            }
        },
        Self("A word with ideographs is found inside of a longer one, in title, address and note") { context in
            _ = try await context.create("Tea") { $0.destination.address = "台北市中山路12號A棟" }
            _ = try await context.create("お弁当と寿司", { $0.note = "서울특별시청 앞" })
            _ = try await context.create("中山市茶")
            _ = try await context.create("Ölテスト")

            let all = ["Tea", "お弁当と寿司", "中山市茶", "Ölテスト"]
            for (text, indices) in [
                ("中山路", [0]), ("中山", [0, 2]), ("山", [0, 2]), ("中山路12", [0]), ("號a棟", [0]), ("弁当", [1]), ("と", [1]), ("특별시", [1]),
                ("tea 中山路", [0]), ("TE 山", [0]), ("ea 山", []), ("soup 中山路", []), ("市 中山", [0, 2]), ("路中山", []), ("茶台北", []), ("中%路", [0]),
                ("中_路", [0]), ("中\\山", [0, 2]), ("中山'", [0, 2]), ("特別", []), ("ÖLテ", [3]), ("ölテ", []),
            ] as [(String, [Int])] {
                for sort in [BoardQuery.Sort.id, .price, .distance(from: try #require(place(0, 0)))] {
                    let found = try await context.titles(BoardQuery(.open, text: text, sort: sort, limit: 1))
                    #expect(found == indices.map { all[$0] }, "\(text), sorted by \(sort)")
                }
            }
        },
        Self("A box finds the orders inside, also across the 180th meridian") { context in
            _ = try await context.create("west") { $0.destination.coordinate = place(10, -179) }
            _ = try await context.create("east") { $0.destination.coordinate = place(10, 179) }
            _ = try await context.create("far") { $0.destination.coordinate = place(10, 100) }
            let across = CoordinateBox(south: 0, west: 170, north: 20, east: -170)
            let small = CoordinateBox(south: 10, west: 100, north: 10, east: 100)

            #expect(try await context.titles(BoardQuery(.open, box: across)) == ["west", "east"])
            #expect(try await context.titles(BoardQuery(.open, box: small)) == ["far"])
        },
        Self("Scopes separate open orders, a courier's own ones and states") { context in
            let ids = [try await context.create("open"), try await context.create("mine"), try await context.create("cancelled")]
            try await context.perform(.claim, on: ids[1], by: Context.mina)
            try await context.perform(.cancel, on: ids[2], by: Context.ada)

            #expect(try await context.titles(BoardQuery(.open)) == ["open"])
            #expect(try await context.titles(BoardQuery(.held(by: Context.mina))) == ["mine"])
            #expect(try await context.titles(BoardQuery(.held(by: Context.jonas))) == [])
            #expect(try await context.titles(BoardQuery(.states([.cancelled, .open]))) == ["open", "cancelled"])
            #expect(try await context.store.openOrderIDs(demoOnly: false) == [ids[0]])
        },
        Self("What a courier may see are open orders and the own, in every sort and size of pages") { context in
            let orders: [(String, String, Int64?)] = [("a", "3", 30), ("b", "1", nil), ("c", "2", 10), ("d", "4", 20), ("e", "5", 40)]
            for (title, price, due) in orders {
                let id = try await context.create(title) { content in
                    (content.price, content.due) = (price, due.map(Timestamp.init(milliseconds:)))
                    content.destination.coordinate = due.flatMap { place(Double($0), 0) }
                }
                if ["a", "b"].contains(title) { try await context.perform(.claim, on: id, by: Context.mina) }
                if title == "d" { try await context.perform(.claim, on: id, by: Context.jonas) }
            }
            let origin = try #require(place(35, 0))
            let sorts: [(BoardQuery.Sort, String)] = [(.id, "abce"), (.price, "bcae"), (.due, "caeb"), (.distance(from: origin), "aecb")]

            for (sort, titles) in sorts {
                for limit in [1, 2, 3, 100] {
                    let found = try await context.titles(BoardQuery(.visible(to: Context.mina), sort: sort, limit: limit))
                    #expect(found.joined() == titles, "pages of \(limit) sorted by \(sort)")
                }
            }
            #expect(try await context.titles(BoardQuery(.visible(to: Context.ada), text: "b")) == [])
        },
        Self("Orders that need attention are those with a reason, and are counted") { context in
            var ids: [Int] = []
            for title in ["quiet", "untaken", "claimed", "returning", "attempted"] {
                ids.append(try await context.create(title) { $0.due = title == "untaken" ? Context.start + .seconds(60) : nil })
            }
            for id in ids[2...] { try await context.perform(.claim, on: id, by: Context.mina) }
            for id in ids[3...] { try await context.perform(.pickUp(.initial.next, missing: []), on: id, by: Context.mina) }
            try await context.perform(.cancel, on: ids[3], by: Context.ada)
            try await context.perform(.attempt(.initial.next, .recipientUnavailable), on: ids[4], by: Context.mina)

            for (time, titles) in [
                (0, ["untaken", "returning", "attempted"]), (26 * 60, ["untaken", "claimed", "returning", "attempted"]),
            ] {
                let now = Context.start + .seconds(time)
                #expect(try await context.titles(BoardQuery(.attention(at: now), limit: 2)) == titles)
                #expect(try await context.store.counts(at: now).attention == titles.count)
                for id in ids {
                    let record = try #require(try await context.store.order(id))
                    #expect(record.needsAttention(at: now) == titles.contains(record.content.title), "\(record.content.title)")
                }
            }
            let counts = try await context.store.counts(at: Context.start)
            #expect(counts.states == [.open: 2, .claimed: 1, .returning: 1, .pickedUp: 1])
            #expect(counts.held == [Context.mina: 3])
        },
        Self("Pages of several states have every sort, and the newest order first") { context in
            for (title, price) in [("a", "3"), ("b", "1"), ("c", "2"), ("d", "4")] {
                let id = try await context.create(title) { $0.price = price }
                if title == "b" { try await context.perform(.claim, on: id, by: Context.mina) }
                if title == "d" { try await context.perform(.cancel, on: id, by: Context.ada) }
            }

            for limit in [1, 2, 100] {
                for (sort, titles) in [(BoardQuery.Sort.price, "bcad"), (.due, "abcd"), (.id, "abcd"), (.newest, "dcba")] {
                    let query = BoardQuery(.states(Set(OrderState.allCases)), sort: sort, limit: limit)
                    #expect(try await context.titles(query).joined() == titles, "pages of \(limit) sorted by \(sort)")
                }
                let query = BoardQuery(.states([.claimed, .open]), text: "a", sort: .newest, limit: limit)
                #expect(try await context.titles(query).joined() == "a")
            }
        },
        Self("An order past its deadline needs attention and does not move") { context in
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina)
            try await context.perform(.pickUp(.initial.next, missing: []), on: id, by: Context.mina)
            let deadline = Context.start + .seconds(12 * 3_600)

            #expect(try await context.titles(BoardQuery(.attention(at: Context.start))) == [])
            #expect(try await context.titles(BoardQuery(.attention(at: deadline))) == ["Breakfast"])
            #expect(try await context.state(of: id) == .pickedUp)
        },
    ]

    static let changes = [
        Self("The feed has each change once, in order, from the position of a page") { context in
            let first = try await context.create("One")
            let page = try await context.store.orders(BoardQuery(.open))
            let second = try await context.create("Two")
            try await context.perform(.claim, on: first, by: Context.mina)
            try await context.perform(.reassign(to: Context.jonas), on: first, by: Context.ada)
            try await context.perform(.pickUp(.initial.next, missing: []), on: first, by: Context.mina)

            var (position, changes) = (page.position, [OrderChange]())
            while true {
                let part = try await context.store.changes(after: position, limit: 2)
                changes += part.changes
                position = part.position
                guard part.hasMore else { break }
            }

            #expect(changes.map(\.order) == [second, first, first, first])
            #expect(changes.map(\.wasOpen) == [false, true, false, false])
            #expect(changes.map(\.previousHolder) == [nil, nil, Context.mina, Context.jonas])
            #expect(try await context.store.position() == position)
            let reports = changes.compactMap { change -> PersonID? in
                if case .report(1, let report) = change.content { report.actor } else { nil }
            }
            #expect(reports == [Context.mina])
        },
        Self("A position of another epoch, or beyond the end, is refused") { context in
            _ = try await context.create()
            let position = try await context.store.position()

            for wrong in [
                ChangePosition(epoch: "other", number: position.number),
                ChangePosition(epoch: position.epoch, number: position.number + 1),
            ] {
                await #expect(throws: OrderStoreError.positionExpired(current: position)) {
                    try await context.store.changes(after: wrong, limit: 10)
                }
            }
            #expect(try await context.store.changes(after: position, limit: 10).changes.isEmpty)
        },
        Self("A repeated command, a refusal and a read leave the position") { context in
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina, key: "k")
            let position = try await context.store.position()

            try await context.perform(.claim, on: id, by: Context.mina, key: "k")
            try await context.perform(.claim, on: id, by: Context.jonas)
            _ = try await context.store.history(of: id)

            #expect(try await context.store.position() == position)
        },
    ]
}
