import Foundation
import HTTPTypes
import Hummingbird
import OrderLifecycle
import OrderStorage
import OrderStorageSQLite
import Testing

@testable import OrderAPI

@Suite("API: commands")
struct CommandTests {
    let mina = OrderAPIFixture.mina
    let jonas = OrderAPIFixture.jonas
    let ada = OrderAPIFixture.ada

    @Test func `An order is claimed, carried out and proven`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        let note = Array("Left with the neighbour".utf8)

        let claim = try await fixture.send(.post, "\(path)/claim", as: mina)
        let pickUp = try await fixture.send(.post, "\(path)/pick-up", as: mina, fence: "1", body: #"{"missingItems":["3"]}"#)
        let arrival = try await fixture.send(.post, "\(path)/arrive", as: mina, fence: "1.3")
        let proof = try await fixture.send(
            .put, "\(path)/proofs/\(digest(note))?kind=note", as: mina, headers: [.contentType: "text/plain"], bytes: note)
        let delivery = try await fixture.send(
            .post, "\(path)/deliver", as: mina, fence: "1", body: #"{"proofs":["\#(digest(note))"]}"#)

        #expect([claim, pickUp, arrival, proof, delivery].map(\.status) == [200, 200, 200, 201, 200])
        #expect(claim["fence"] as? Int == 1)
        #expect(claim.headers[.eTag] == "\"1.2\"")
        #expect(delivery["state"] as? String == "delivered")
        let history = try await fixture.send(.get, "\(path)/history", as: ada)
        let events = history["events"] as? [[String: Any]] ?? []
        #expect(events.compactMap { $0["action"] as? String } == ["create", "claim", "pickUp", "arrive", "deliver"])
        #expect(events[2]["missingItems"] as? [String] == ["3"])
    }

    @Test func `The second courier learns who holds the order, and since when`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        try await fixture.send(.post, "\(path)/claim", as: mina)
        fixture.clock.advance(by: .seconds(60))

        let rejection = try await fixture.send(.post, "\(path)/claim", as: jonas)

        #expect(rejection.status == 409)
        #expect(rejection.problem == "taken")
        #expect(rejection.isFinal == true)
        #expect((rejection["holder"] as? [String: Any])?["name"] as? String == "Mina")
        #expect(rejection["at"] as? String == "2026-05-15T12:00:00.000Z")
    }

    @Test func `A repeated request has the same response, and another body is refused`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()

        let first = try await fixture.send(.post, "\(path)/claim", as: mina, key: "k")
        fixture.clock.advance(by: .seconds(3_600))
        let second = try await fixture.send(.post, "\(path)/claim", as: mina, key: "\"k\"")
        let other = try await fixture.send(.post, "\(path)/claim", as: mina, key: "k", body: "{}")
        let verdict = try await fixture.send(.get, "verdicts/k", as: mina)

        #expect(second.text == first.text)
        #expect(verdict.text == first.text)
        #expect(other.status == 422 && other.problem == "key-reused")
        let foreign = try await fixture.send(.get, "verdicts/k", as: jonas)
        #expect(foreign.status == 404 && foreign.isFinal == false)
    }

    @Test(arguments: [("reassign", #"{"courier":"jonas"}"#), ("correct", #"{"state":"pickedUp","courier":"jonas"}"#)])
    func `A repeated request has the same response after its courier was revoked`(command: String, body: String) async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        try await fixture.send(.post, "\(path)/claim", as: mina)
        if command == "correct" { try await fixture.send(.post, "\(path)/cancel", as: ada) }

        let first = try await fixture.send(.post, "\(path)/\(command)", as: ada, key: "k", body: body)
        try await fixture.store.revoke(PersonID(rawValue: jonas), at: OrderAPIFixture.start)
        let second = try await fixture.send(.post, "\(path)/\(command)", as: ada, key: "k", body: body)
        let other = try await fixture.send(.post, "\(path)/\(command)", as: ada, key: "k", body: "\(body) ")
        let new = try await fixture.send(.post, "\(path)/\(command)", as: ada, key: "l", body: body)

        #expect(first.status == 200)
        #expect(second.status == 200)
        #expect(second.text == first.text)
        #expect(other.status == 422 && other.problem == "key-reused")
        #expect(new.status == 400 && new.problem == "invalid-request")
    }

    @Test func `A repeated pick-up that an earlier release has accepted has the same verdict`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        try await fixture.send(.post, "\(path)/claim", as: mina)
        let body = #"{"missingItems":["milk"]}"#
        let order = try #require(Int(path.dropFirst("orders/".count)))
        let sender = OrderLifecycle.Sender(PersonID(rawValue: mina), role: .courier, actionTime: OrderAPIFixture.start)
        let pickUp = OrderStoreCommand(
            .lifecycle(order: order, .pickUp(Fence(rawValue: 1), missing: ["milk"])), from: sender, key: "k",
            fingerprint: digest(Array("POST /api/v1/\(path)/pick-up\n1\n\(body)".utf8)))
        let accepted = try await fixture.store.perform(pickUp, at: OrderAPIFixture.start)

        let repeated = try await fixture.send(.post, "\(path)/pick-up", as: mina, key: "k", fence: "1", body: body)
        let other = try await fixture.send(.post, "\(path)/pick-up", as: mina, key: "k", fence: "1", body: "\(body) ")

        #expect(accepted.verdict.state == .pickedUp)
        #expect(repeated.status == 200 && repeated["state"] as? String == "pickedUp")
        #expect(other.status == 422 && other.problem == "key-reused")
    }

    @Test func `A repeated order whose items an earlier release has accepted has the same verdict`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        let body = OrderAPIFixture.breakfast.replacing(#""id":3"#, with: #""id":\#(Int.max)"#)
        var content = try #require(try await fixture.store.order(1)).content
        content.items = [OrderContent.Item(id: Int.max, quantity: "1.5", unit: "kg")]
        let sender = OrderLifecycle.Sender(PersonID(rawValue: ada), role: .dispatcher, actionTime: OrderAPIFixture.start)
        func perform(_ change: OrderStoreCommand.Change, key: String, _ request: String) async throws {
            let fingerprint = digest(Array("\(request)\n\n\(body)".utf8))
            let command = OrderStoreCommand(change, from: sender, key: key, fingerprint: fingerprint)
            _ = try await fixture.store.perform(command, at: OrderAPIFixture.start)
        }
        try await perform(.create(content, externalID: nil), key: "create", "POST /api/v1/orders")
        try await perform(.edit(order: 1, content, version: nil), key: "edit", "PUT /api/v1/\(path)")

        let creation = try await fixture.send(.post, "orders", as: ada, key: "create", body: body)
        let edit = try await fixture.send(.put, path, as: ada, key: "edit", body: body)
        let new = try await fixture.send(.post, "orders", as: ada, body: body)

        #expect([creation, edit].map(\.status) == [201, 200])
        #expect(new.status == 400 && new["field"] as? String == "items")
    }

    @Test func `A time of an action that no document can contain is the earliest one`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()

        try await fixture.send(
            .post, "\(path)/claim", as: mina, headers: [HTTPField.Name("Lading-Client-Time")!: "9999-01-01T00:00:00Z"],
            body: #"{"at":"0001-01-01T00:00:00Z"}"#)

        let history = try await fixture.send(.get, "\(path)/history", as: ada)
        let event = (history["events"] as? [[String: Any]])?.last
        #expect(event?["actionTime"] as? String == "0001-01-01T00:00:00.000Z")
    }

    @Test func `The time of an action is corrected by the client's clock, and is never later than now`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        let clientTime = HTTPField.Name("Lading-Client-Time")!
        try await fixture.send(.post, "\(path)/claim", as: mina)

        // The client's clock is an hour fast, and the pick-up was 10 minutes before it was sent.
        try await fixture.send(
            .post, "\(path)/pick-up", as: mina, fence: "1", headers: [clientTime: "2026-05-15T13:00:00Z"],
            body: #"{"at":"2026-05-15T12:50:00Z"}"#)
        try await fixture.send(.post, "\(path)/arrive", as: mina, fence: "1", body: #"{"at":"2099-01-01T00:00:00Z"}"#)

        let history = try await fixture.send(.get, "\(path)/history", as: ada)
        let times = (history["events"] as? [[String: Any]] ?? []).compactMap { $0["actionTime"] as? String }
        #expect(times.suffix(2) == ["2026-05-15T11:50:00.000Z", "2026-05-15T12:00:00.000Z"])
    }

    @Test(arguments: ["orders", "orders/1/claim", "orders/1"])
    func `A command whose body arrives slowly is decided at its end`(path: String) async throws {
        let fixture = try await OrderAPIFixture()
        let order = try await fixture.createOrder()
        let (method, person) = path == "orders/1" ? (HTTPRequest.Method.put, ada) : (.post, path == "orders" ? ada : mina)
        let body = path == "orders/1/claim" ? "{}" : OrderAPIFixture.breakfast.replacing("Breakfast", with: "Brunch")

        let response = try await fixture.respond(to: method, path, as: person, sending: body) {
            fixture.clock.advance(by: .seconds(600))
        }

        let history = try await fixture.send(.get, "\(path == "orders" ? "orders/2" : order)/history", as: ada)
        let event = (history["events"] as? [[String: Any]])?.last
        #expect([200, 201].contains(response.status.code))
        #expect(event?["actionTime"] as? String == "2026-05-15T12:00:00.000Z")
        #expect(event?["acceptanceTime"] as? String == "2026-05-15T12:10:00.000Z")
    }

    @Test func `Dispatchers edit, cancel and correct; couriers do not`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        let body = OrderAPIFixture.breakfast.replacing("Breakfast", with: "Brunch")

        let edit = try await fixture.send(.put, path, as: ada, fence: "0.1", body: body)
        let stale = try await fixture.send(.put, path, as: ada, fence: "0.1", body: body)
        let cancel = try await fixture.send(.post, "\(path)/cancel", as: ada)
        let correction = try await fixture.send(.post, "\(path)/correct", as: ada, body: #"{"state":"open"}"#)

        #expect([edit, cancel, correction].map(\.status) == [200, 200, 200])
        #expect(stale.status == 412 && stale.problem == "changed" && stale["version"] as? String == "0.2")
        #expect(try await fixture.send(.get, "orders", as: mina).titles == ["Brunch"])
        for (method, path) in [(HTTPRequest.Method.put, path), (.post, "\(path)/cancel"), (.post, "orders")] {
            let rejection = try await fixture.send(method, path, as: mina, body: body)
            #expect(rejection.status == 403 && rejection.problem == "wrong-role")
        }
    }

    @Test(arguments: [#"W/"0.1""#, #"W/"0.9""#])
    func `A weak tag matches no order`(tag: String) async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()

        let edit = try await fixture.send(.put, path, as: ada, headers: [.ifMatch: tag], body: OrderAPIFixture.breakfast)

        #expect(edit.status == 412 && edit.problem == "weak-tag" && edit.isFinal == true)
        #expect(try await fixture.send(.get, path, as: ada)["version"] as? String == "0.1")
    }

    @Test func `A command needs a key, and a courier's step a fence`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        try await fixture.send(.post, "\(path)/claim", as: mina)

        let keyless = try await fixture.send(.post, "\(path)/arrive", as: mina, key: nil, fence: "1")
        let fenceless = try await fixture.send(.post, "\(path)/arrive", as: mina)
        let early = try await fixture.send(.post, "\(path)/arrive", as: mina, fence: "1")
        let unknown = try await fixture.send(.post, "\(path)/pick-up", as: mina, fence: "9")
        let foreign = try await fixture.send(.post, "\(path)/pick-up", as: jonas, fence: "1")

        #expect(keyless.status == 400 && keyless.problem == "key-missing")
        #expect(fenceless.status == 428 && fenceless.problem == "fence-missing")
        #expect(early.status == 409 && early.problem == "wrong-state" && early["state"] as? String == "claimed")
        #expect(unknown.status == 412 && unknown.problem == "unknown-fence")
        #expect(foreign.status == 403 && foreign.problem == "not-holder")
    }

    @Test(arguments: [
        "", "[]", "{", "null", #"{"title":""}"#, #"{"title":"x","price":"1","currency":"EUR"}"#,
        #"{"title":"x","price":"-1","currency":"EUR","destination":{"address":"a"}}"#,
        #"{"title":"x","price":"1","currency":"euro","destination":{"address":"a"}}"#,
        #"{"title":"x","price":"1","currency":"EUR","destination":{"address":" "}}"#,
        #"{"title":"x","price":"1","currency":"EUR","destination":{"address":"a","latitude":91,"longitude":0}}"#,
        #"{"title":"x","price":"1","currency":"EUR","destination":{"address":"a","latitude":1}}"#,
        #"{"title":"x","price":"1","currency":"EUR","due":"tomorrow","destination":{"address":"a"}}"#,
        #"{"title":"x","price":"1","currency":"EUR","pin":"12a4","destination":{"address":"a"}}"#,
        #"{"title":"x","price":"1","currency":"EUR","externalId":"","destination":{"address":"a"}}"#,
        #"{"title":"x\u0000","price":"1","currency":"EUR","destination":{"address":"a"}}"#,
        #"{"title":"x","price":"1","currency":"EUR","due":"9999-12-31T23:59:59-00:01","destination":{"address":"a"}}"#,
        #"{"title":"x","price":"1","currency":"EUR","destination":{"address":"a"},"items":[{"id":0,"quantity":"1","unit":"g"}]}"#,
    ])
    func `An order that is not valid is refused with a reason`(body: String) async throws {
        let fixture = try await OrderAPIFixture()

        let response = try await fixture.send(.post, "orders", as: ada, body: body)

        #expect(response.status == 400 && response.problem == "invalid-request")
        #expect(try await fixture.store.openOrderIDs(demoOnly: false).isEmpty)
    }

    @Test(arguments: [
        (#"{"title":"x"}"#, "price", "empty"), (#"{"title":null}"#, "title", "empty"),
        (#"{"title":"x","price":"-1","currency":"EUR","destination":{"address":"a"}}"#, "price", "price"),
        (#"{"title":"x","price":"1","currency":"EUR","destination":{"address":" "}}"#, "destination.address", "empty"),
        (#"{"title":"x","price":"1","currency":"EUR","destination":{"address":"a","latitude":"north"}}"#, "destination.latitude", "number"),
        (
            #"{"title":"x","price":"1","currency":"EUR","destination":{"address":"a","latitude":91,"longitude":0}}"#,
            "destination.latitude", "out-of-range"
        ),
        (
            #"{"title":"x","price":"1","currency":"EUR","destination":{"address":"a","latitude":0,"longitude":181}}"#,
            "destination.longitude", "out-of-range"
        ),
        (
            #"{"title":"x","price":"1","currency":"EUR","destination":{"address":"a","latitude":1}}"#, "destination.longitude",
            "coordinate-incomplete"
        ),
        (
            #"{"title":"x","price":"1","currency":"EUR","destination":{"address":"a","radius":-1}}"#, "destination.radius", "out-of-range"
        ),
        (#"{"title":"x","price":"1","currency":"EUR","due":"tomorrow","destination":{"address":"a"}}"#, "due", "time"),
        (
            #"{"title":"x","price":"1","currency":"EUR","destination":{"address":"a"},"items":[{"id":"a","quantity":"1","unit":""}]}"#,
            "items.0.id", "whole-number"
        ),
    ])
    func `An order that is not valid names the field and its rule`(body: String, field: String, rule: String) async throws {
        let fixture = try await OrderAPIFixture()

        let response = try await fixture.send(.post, "orders", as: ada, body: body)

        #expect(response["field"] as? String == field && (response["rule"] as? [String: Any])?["code"] as? String == rule)
    }

    @Test func `An edit does not change the external id`() async throws {
        let fixture = try await OrderAPIFixture()
        func body(_ externalID: String) -> String {
            OrderAPIFixture.breakfast.replacing(#"{"title""#, with: #"{"externalId":\#(externalID),"title""#)
        }
        let path = try await fixture.createOrder(body(#""A-1""#))
        let other = try await fixture.createOrder()

        let edits = [
            try await fixture.send(.put, path, as: ada, body: body(#""A-1""#)),
            try await fixture.send(.put, path, as: ada, body: body("null")),
            try await fixture.send(.put, path, as: ada, body: body(#""A-2""#)),
            try await fixture.send(.put, other, as: ada, body: body(#""A-2""#)),
        ]

        #expect(edits.map(\.status) == [200, 200, 400, 400])
        #expect(edits[2...].allSatisfy { $0.problem == "invalid-request" && $0["field"] as? String == "externalId" })
        #expect(try await fixture.send(.get, path, as: ada)["externalId"] as? String == "A-1")
        #expect(try await fixture.send(.get, other, as: ada)["externalId"] is NSNull)
    }

    @Test func `A courier who is not one, and a missing one, are named by field`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()

        for (body, rule) in [("{}", "empty"), (#"{"courier":"ada"}"#, "courier")] {
            let response = try await fixture.send(.post, "\(path)/reassign", as: ada, body: body)
            #expect(response["field"] as? String == "courier" && (response["rule"] as? [String: Any])?["code"] as? String == rule)
        }
    }

    @Test(arguments: ["0", "-1", "x", "1.5", "99999999999999999999", "9223372036854775807", "%00", "1%2F2"])
    func `An id of no order is not found`(id: String) async throws {
        let fixture = try await OrderAPIFixture()

        for path in ["orders/\(id)", "orders/\(id)/history"] {
            #expect(try await fixture.send(.get, path, as: ada).status == 404)
        }
        #expect(try await fixture.send(.post, "orders/\(id)/claim", as: mina).status == 404)
    }

    @Test func `Keys of all lengths are accepted or refused, and large bodies are refused`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()

        #expect(try await fixture.send(.post, "\(path)/claim", as: mina, key: String(repeating: "k", count: 255)).status == 200)
        for key in ["", String(repeating: "k", count: 256), "a b", "ü"] {
            #expect(try await fixture.send(.post, "\(path)/claim", as: mina, key: key).problem == "key-invalid")
        }
        let large = try await fixture.send(.post, "orders", as: ada, body: String(repeating: " ", count: 300_000))
        #expect(large.status == 413 && large.problem == "too-large")
    }
}
