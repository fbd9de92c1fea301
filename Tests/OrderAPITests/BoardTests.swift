import HTTPTypes
import Testing

@testable import OrderAPI

@Suite("API: orders and changes")
struct BoardTests {
    private let mina = OrderAPIFixture.mina
    private let jonas = OrderAPIFixture.jonas
    private let ada = OrderAPIFixture.ada

    @Test func `Pages are linked, and contain every order once`() async throws {
        let fixture = try await OrderAPIFixture()
        for number in 1...5 { _ = try await fixture.createOrder(OrderAPIFixture.breakfast.replacing("Breakfast", with: "Order \(number)")) }

        var (titles, path) = ([String](), "orders?limit=2&near=40.7,-74" as String?)
        while let page = path {
            let response = try await fixture.send(.get, page, as: mina)
            titles += response.titles
            path = response.headers[HTTPField.Name("Link")!].map { String($0.dropFirst("</api/v1/".count).prefix { $0 != ">" }) }
        }

        #expect(titles == (1...5).map { "Order \($0)" })
    }

    @Test func `A courier sees open and own orders, and of others nothing`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()

        let before = try await fixture.send(.get, path, as: jonas)
        try await fixture.send(.post, "\(path)/claim", as: mina)

        #expect(before.status == 200 && before["pin"] == nil && before["hasPin"] as? Bool == true)
        #expect(try await fixture.send(.get, path, as: jonas).problem == "order-unknown")
        #expect(try await fixture.send(.get, path, as: mina).status == 200)
        #expect(try await fixture.send(.get, path, as: ada)["pin"] as? String == "1234")
        #expect(try await fixture.send(.get, "orders", as: jonas).titles == [])
        #expect(try await fixture.send(.get, "orders?scope=mine", as: mina).titles == ["Breakfast"])
        #expect(try await fixture.send(.get, "orders?scope=all", as: mina).titles == ["Breakfast"])
        #expect(try await fixture.send(.get, "orders?scope=all", as: jonas).titles == [])
        for query in ["scope=attention", "state=claimed", "counts=true"] {
            #expect(try await fixture.send(.get, "orders?\(query)", as: mina).problem == "wrong-role")
            #expect(try await fixture.send(.get, "orders?\(query)", as: ada).status == 200)
        }
    }

    @Test func `A page has the numbers of orders on request`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        _ = try await fixture.createOrder()
        try await fixture.send(.post, "\(path)/claim", as: mina)

        let page = try await fixture.send(.get, "orders?counts=true&limit=1", as: ada)
        let counts = try #require(page["counts"] as? [String: Any])

        #expect((counts["states"] as? [[String: Any]])?.prefix(2).map { $0["count"] as? Int } == [1, 1])
        #expect(counts["attention"] as? Int == 0 && (counts["couriers"] as? [[String: Any]])?.map { $0["count"] as? Int } == [1])
        #expect(try await fixture.send(.get, "orders?counts=false", as: ada)["counts"] == nil)
        #expect(try await fixture.send(.get, "orders?counts=1", as: ada).problem == "invalid-request")
    }

    @Test func `A courier reads only the own part of a history`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        try await fixture.send(.post, "\(path)/claim", as: mina)

        let own = try await fixture.send(.get, "\(path)/history", as: mina)
        let others = try await fixture.send(.get, "\(path)/history", as: jonas)

        #expect((own["events"] as? [[String: Any]])?.map { $0["action"] as? String } == ["claim"])
        #expect(others.problem == "order-unknown")
    }

    @Test func `A request that names another author waits until that person signs in`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        let author = try await fixture.send(.get, "me", as: mina)["id"] as? String ?? ""

        let other = try await fixture.send(.post, "\(path)/claim", as: jonas, key: "k", headers: [.author: author])
        let own = try await fixture.send(.post, "\(path)/claim", as: mina, key: "k", headers: [.author: author])

        #expect(other.status == 401 && other.problem == "other-person" && other["final"] as? Bool == false)
        #expect(own.status == 200)
    }

    @Test(arguments: [
        "limit=0", "limit=101", "limit=x", "sort=age", "sort=distance", "near=1", "near=91,0", "near=nan,0", "box=1,2,3", "box=9,0,1,0",
        "after=x", "after=eyJpZCI6eyJfMCI6MX19&sort=price", "scope=none", "text=" + String(repeating: "x", count: 401),
    ])
    func `A query that is not valid is refused`(query: String) async throws {
        let fixture = try await OrderAPIFixture()

        let response = try await fixture.send(.get, "orders?\(query)", as: mina)

        #expect(response.status == 400 && response.problem == "invalid-request")
    }

    @Test func `A courier's changes say that orders of others left, a dispatcher's contain all`() async throws {
        let fixture = try await OrderAPIFixture()
        let start = try #require(try await fixture.send(.get, "orders", as: jonas)["position"] as? String)
        let path = try await fixture.createOrder()
        try await fixture.send(.post, "\(path)/claim", as: mina)
        try await fixture.send(.post, "\(path)/pick-up", as: mina, fence: "1")

        func kinds(_ person: String) async throws -> [String] {
            let page = try await fixture.send(.get, "changes?after=\(start)", as: person)
            return (page["changes"] as? [[String: Any]] ?? []).compactMap { $0["kind"] as? String }
        }

        #expect(try await kinds(jonas) == ["open", "left"])
        #expect(try await kinds(mina) == ["open", "event", "event"])
        #expect(try await kinds(ada) == ["event", "event", "event"])
    }

    @Test func `A position of another epoch is gone, with the position to continue at after reading everything`() async throws {
        let fixture = try await OrderAPIFixture()
        let position = try await fixture.send(.get, "orders", as: mina)["position"] as? String

        let response = try await fixture.send(.get, "changes?after=other-0", as: mina)

        #expect(response.status == 410 && response.problem == "position-expired")
        #expect(response["position"] as? String == position)
        #expect(try await fixture.send(.get, "changes?after=0", as: mina).status == 400)
    }
}

extension HTTPField.Name {
    fileprivate static let author = Self("Lading-Person")!
}
