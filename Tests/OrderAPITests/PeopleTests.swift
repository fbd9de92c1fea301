import HTTPTypes
import OrderLifecycle
import OrderStorage
import OrderStorageSQLite
import Testing

@testable import OrderAPI

@Suite("API: people")
struct PeopleTests {
    private let mina = OrderAPIFixture.mina
    private let jonas = OrderAPIFixture.jonas
    private let ada = OrderAPIFixture.ada

    @Test func `A dispatcher adds a person, whose link is exchanged once for a token`() async throws {
        let fixture = try await OrderAPIFixture()

        let added = try await fixture.send(.post, "people", as: ada, body: #"{"name":" Noor "}"#)
        let secret = try #require((added["link"] as? [String: Any])?["secret"] as? String)
        let first = try await fixture.send(.post, "sign-in", body: #"{"secret":"\#(secret)"}"#)
        let second = try await fixture.send(.post, "sign-in", body: #"{"secret":"\#(secret)"}"#)

        #expect(added.status == 201 && added["name"] as? String == "Noor" && added["role"] as? String == "courier")
        let token = try #require(first["token"] as? String)
        #expect(token.utf8.count == 64)
        #expect(try await fixture.send(.get, "me", as: token)["name"] as? String == "Noor")
        #expect(second.status == 403 && second.problem == "link-invalid")
        try await fixture.send(.post, "sign-out", as: token)
        #expect(try await fixture.send(.get, "me", as: token).status == 401)
    }

    @Test func `Names that differ only in the encoding of an accent are one name`() async throws {
        let fixture = try await OrderAPIFixture()
        try await fixture.send(.post, "people", as: ada, body: #"{"name":"Zo\u00eb"}"#)

        #expect(try await fixture.send(.post, "people", as: ada, body: #"{"name":"Zoe\u0308"}"#).status == 409)
        let marks = String(repeating: #"\u0301"#, count: 101)
        #expect(try await fixture.send(.post, "people", as: ada, body: "{\"name\":\"a\(marks)\"}").status == 400)
    }

    @Test func `A link ends after a day, and a new one replaces it`() async throws {
        let fixture = try await OrderAPIFixture()
        let old = try await fixture.send(.post, "people/mina/link", as: ada)["secret"] as? String ?? ""
        let new = try await fixture.send(.post, "people/mina/link", as: ada)["secret"] as? String ?? ""

        #expect(try await fixture.send(.post, "sign-in", body: #"{"secret":"\#(old)"}"#).status == 403)
        fixture.clock.advance(by: .seconds(86_400))
        #expect(try await fixture.send(.post, "sign-in", body: #"{"secret":"\#(new)"}"#).status == 403)
    }

    @Test func `Failed sign-ins are limited for a quarter of an hour`() async throws {
        let fixture = try await OrderAPIFixture()
        let body = #"{"secret":"wrong"}"#
        for _ in 0..<10 { #expect(try await fixture.send(.post, "sign-in", body: body).status == 403) }

        let limited = try await fixture.send(.post, "sign-in", body: body)
        fixture.clock.advance(by: .seconds(15 * 60))
        let later = try await fixture.send(.post, "sign-in", body: body)

        #expect(limited.status == 429 && limited.isFinal == false && limited.headers[.retryAfter] == "900")
        #expect(limited.problem == "too-many-sign-ins" && later.status == 403)
    }

    @Test func `A valid link works after too many failures, which stay counted`() async throws {
        let fixture = try await OrderAPIFixture()
        let wrong = #"{"secret":"wrong"}"#
        for _ in 0..<10 { try await fixture.send(.post, "sign-in", body: wrong) }
        let secret = try await fixture.send(.post, "people/mina/link", as: ada)["secret"] as? String ?? ""

        #expect(try await fixture.send(.post, "sign-in", body: #"{"secret":"\#(secret)"}"#).status == 200)
        #expect(try await fixture.send(.post, "sign-in", body: wrong).status == 429)
    }

    @Test func `Requests without a valid token are refused, and may be repeated after signing in`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()

        for token in [nil, "forged", "", String(repeating: "x", count: 300)] {
            for request in ["me", "orders", path, "people", "changes"] {
                let response = try await fixture.send(.get, request, as: token)
                #expect(response.status == 401 && response.isFinal == false)
                #expect(response.headers[.wwwAuthenticate] == "Bearer")
            }
            #expect(try await fixture.send(.post, "\(path)/claim", as: token).status == 401)
        }
        fixture.clock.advance(by: .seconds(91 * 86_400))
        #expect(try await fixture.send(.get, "me", as: mina).status == 401)
    }

    @Test func `A revoked person is signed out, and an erased one has no name`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        try await fixture.send(.post, "\(path)/claim", as: mina)

        #expect(try await fixture.send(.delete, "people/mina", as: ada).status == 204)
        #expect(try await fixture.send(.get, "me", as: mina).status == 401)
        #expect(try await fixture.send(.post, "people/mina/link", as: ada).problem == "person-unknown")
        #expect(try await fixture.send(.post, "people/mina/erase", as: ada).status == 204)

        let holder = try await fixture.send(.get, path, as: ada)["holder"] as? [String: Any]
        #expect(holder?["id"] as? String == "mina" && holder?["name"] as? String == nil)
    }

    @Test func `Only dispatchers manage people`() async throws {
        let fixture = try await OrderAPIFixture()

        for (method, path) in [
            (HTTPRequest.Method.get, "people"), (.post, "people"), (.post, "people/mina/link"), (.delete, "people/jonas"),
            (.post, "people/jonas/erase"),
        ] {
            let response = try await fixture.send(method, path, as: mina, body: #"{"name":"X"}"#)
            #expect(response.status == 403 && response.problem == "wrong-role")
        }
        for name in ["", " ", "a\\u0007b", String(repeating: "x", count: 101)] {
            #expect(try await fixture.send(.post, "people", as: ada, body: #"{"name":"\#(name)"}"#).status == 400)
        }
        #expect(try await fixture.send(.post, "people", as: ada, body: #"{"name":"Mina"}"#).problem == "name-taken")
    }

    @Test func `Positions are stored only while an order is held`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        let body = #"{"positions":[{"at":"2026-05-15T11:59:00Z","latitude":40.7,"longitude":-74,"accuracy":12.5}]}"#

        #expect(try await fixture.send(.post, "positions", as: mina, body: body).problem == "holds-no-order")
        try await fixture.send(.post, "\(path)/claim", as: mina)
        fixture.clock.advance(by: .seconds(600))
        #expect(try await fixture.send(.post, "positions", as: mina, body: body).status == 204)

        #expect(try await fixture.send(.get, path, as: mina)["leaseEnd"] as? String == "2026-05-15T12:40:00.000Z")
        for wrong in ["{}", #"{"positions":[]}"#, body.replacing("40.7", with: "400"), body.replacing("2026-", with: "")] {
            #expect(try await fixture.send(.post, "positions", as: mina, body: wrong).status == 400)
        }
    }

    @Test func `Positions of an earlier day are not stored`() async throws {
        let fixture = try await OrderAPIFixture()
        try await fixture.send(.post, "\(fixture.createOrder())/claim", as: mina)
        func send(at time: String) async throws -> Int {
            let body = #"{"positions":[{"at":"\#(time)","latitude":40.7,"longitude":-74}]}"#
            return try await fixture.send(.post, "positions", as: mina, body: body).status
        }

        #expect(try await send(at: "2026-05-14T11:59:59.999Z") == 204)
        #expect(try await fixture.store.lastPositions().isEmpty)
        #expect(try await send(at: "2026-05-14T12:00:00Z") == 204)
        #expect(try await fixture.store.lastPositions().count == 1)
    }

    @Test func `Demo people exist only where the settings have them`() async throws {
        let without = try await OrderAPIFixture()
        #expect(try await without.send(.get, "demo-people").status == 404)

        var settings = OrderAPI.Settings()
        settings.hasDemoPeople = true
        let fixture = try await OrderAPIFixture(settings)
        let people = try #require(try await fixture.send(.get, "demo-people")["people"] as? [[String: Any]])
        let id = try #require(people.first?["id"] as? String)
        let token = try #require(try await fixture.send(.post, "demo-people/\(id)/sign-in")["token"] as? String)

        #expect(people.count == 3)
        #expect(try await fixture.send(.get, "me", as: token)["id"] as? String == id)
        #expect(try await fixture.send(.post, "demo-people/mina/sign-in").status == 404)
    }

    @Test(arguments: ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"])
    func `A proxy's clients are not signed in as demo people`(field: String) async throws {
        var settings = OrderAPI.Settings()
        settings.hasDemoPeople = true
        let fixture = try await OrderAPIFixture(settings)
        let people = try #require(try await fixture.send(.get, "demo-people")["people"] as? [[String: Any]])
        let id = try #require(people.first?["id"] as? String)
        let forwarded: HTTPFields = [try #require(HTTPField.Name(field)): "192.0.2.1"]

        #expect(try await fixture.send(.get, "demo-people", headers: forwarded).status == 404)
        #expect(try await fixture.send(.post, "demo-people/\(id)/sign-in", headers: forwarded).status == 404)
    }
}
