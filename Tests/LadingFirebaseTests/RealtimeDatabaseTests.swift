import Foundation
import HTTPTypes
import LadingFirebase
import LadingFirebaseTesting
import LadingHTTP
import LadingTesting
import Testing

private struct Order: Codable, Equatable, Sendable {
    var title: String
    var price: Double
}

extension URLSessionTests {
    @Suite struct RealtimeDatabaseTests: FirebaseSuite {
        let fixture: FirebaseFixture

        init() throws { fixture = try FirebaseFixture() }

        // MARK: Reading and writing

        @Test func `A value that was put can be read`() async throws {
            let order = Order(title: "Milk & bread / “große” Tüte", price: 7.5)
            let place = try orders.child("Süd 4711 %2F?")

            try await place.put(order)

            #expect(try await place.get(Order.self) == order)
            #expect(try await place.get() == order)
            #expect(server.value(at: "orders/Süd 4711 %2F?") == ["title": .string(order.title), "price": 7.5])
        }

        @Test func `A missing value is nil`() async throws {
            #expect(try await orders.child("none").get(Order.self) == nil)
        }

        @Test func `The keys of children are read without their values`() async throws {
            server.write(["a": ["title": "Milk"], "b": 2], at: "orders")

            #expect(try await orders.keys() == ["a", "b"])
            #expect(try await orders.child("b").keys().isEmpty)
        }

        @Test func `Objects with integers as keys, which arrive as arrays, are decoded as objects`() async throws {
            let order = Order(title: "Milk", price: 1)
            try await orders.patch(["1": ["title": "Milk", "price": 1], "3": ["title": "Milk", "price": 1]])

            #expect(try await orders.get([String: Order].self) == ["1": order, "3": order])
            #expect(try await orders.get([Order?].self) == [nil, order, nil, order])
            #expect(try await orders.keys() == ["1", "3"])
            #expect(try await orders.version().value.value(at: ["3", "title"]) == "Milk")
        }

        @Test func `A value that decodes neither as an array nor as an object is reported with the invalid member`() async throws {
            server.write(["1": ["title": "Milk", "price": "free"]], at: "orders")

            await #expect { try await orders.get([String: Order].self) } throws: { error in
                guard case RealtimeDatabase.Failure.decodingFailed(_, let cause as ResponseDecodingError) = error else { return false }
                return cause.path == "[1].price"
            }
        }

        @Test(arguments: [
            (#"{"1":7}"#, "[null,7]"), (#"{"2":7}"#, #"{"2":7}"#), (#"{"0":1,"3":7}"#, "[1,null,null,7]"),
            (#"{"0":1,"4":7}"#, #"{"0":1,"4":7}"#), (#"{"01":7}"#, #"{"01":7}"#),
            (#"{"0":1,"a":7}"#, #"{"0":1,"a":7}"#), ("[1,2]", "[1,2]"), (#"{"a":{"0":7}}"#, #"{"a":[7]}"#),
        ])
        func `The server renders objects with integers as keys as arrays`(written: String, rendered: String) async throws {
            server.write(try JSONValue(json: written.utf8), at: "orders")

            #expect(try await orders.get(JSONValue.self)?.text == rendered)
        }

        @Test func `A patch changes only the named children`() async throws {
            server.write(["a": ["title": "Milk", "price": 1, "note": "fresh"]], at: "orders")

            try await orders.patch(["a/price": 2, "a/note": .null, "b/title": "Bread"])

            #expect(server.value(at: "orders") == ["a": ["title": "Milk", "price": 2], "b": ["title": "Bread"]])
        }

        @Test func `The keys of posted children sort by creation`() async throws {
            var places: [DatabaseReference] = []
            for number in 1...3 { places.append(try await orders.post(Order(title: "\(number)", price: 1))) }

            let keys = places.compactMap(\.path.keys.last)
            #expect(keys == keys.sorted() && Set(keys).count == 3)
            #expect(try await places[1].get(Order.self)?.title == "2")
            #expect(places[1].parent?.path == orders.path)
        }

        @Test func `Deleting the last child removes its parent`() async throws {
            server.write(["a": ["title": "Milk"]], at: "orders")

            try await orders.child("a").delete()

            #expect(server.value() == .null)
        }

        @Test func `The server resolves timestamps and increments`() async throws {
            server.write(["count": 41], at: "orders")

            try await orders.patch(["count": .increment(by: 1), "placed": .serverTime])

            #expect(server.value(at: "orders") == ["count": 42, "placed": 1_000_000_000_000])
        }

        @Test func `Writes request no response body, and requests carry the namespace`() async throws {
            try await orders.put(1)
            _ = try await orders.get(Int.self)

            #expect(
                server.requests == [
                    "PUT /orders.json?print=silent&ns=demo-default-rtdb", "GET /orders.json?ns=demo-default-rtdb",
                ])
        }

        @Test func `An undecodable value is reported with its path and the invalid member`() async throws {
            server.write(["title": "Milk", "price": "free"], at: "orders/a")

            await #expect { try await orders.child("a").get(Order.self) } throws: { error in
                guard case RealtimeDatabase.Failure.decodingFailed(let path, let cause as ResponseDecodingError) = error else {
                    return false
                }
                return path.description == "/orders/a" && cause.path == "price"
            }
        }

        // MARK: Conditions

        @Test func `A conditional write succeeds while the entity tag matches`() async throws {
            server.write(10, at: "votes")
            let votes = try fixture.database.reference("votes")
            let version = try await votes.version()

            let tag = try await votes.put(11, ifMatch: version.tag)

            #expect(version.value == 10 && server.value(at: "votes") == 11)
            #expect(try await votes.version().tag == tag)
        }

        @Test func `A conditional write fails and changes nothing after a change by another client`() async throws {
            let votes = try fixture.database.reference("votes")
            let version = try await votes.version()
            #expect(version.value == .null && version.tag == .missing)
            server.write(99, at: "votes")

            await #expect { try await votes.put(1, ifMatch: version.tag) } throws: { error in
                guard case RealtimeDatabase.Failure.preconditionFailed(let current) = error else { return false }
                return current.value == 99 && current.tag != version.tag
            }
            await #expect { try await votes.delete(ifMatch: version.tag) } throws: { error in
                if case RealtimeDatabase.Failure.preconditionFailed = error { true } else { false }
            }
            #expect(server.value(at: "votes") == 99)

            try await votes.delete(ifMatch: votes.version().tag)
            #expect(server.value(at: "votes") == .null)
        }

        @Test func `Concurrent updates lose no increment`() async throws {
            let votes = try fixture.database.reference("votes")

            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await votes.update { value in
                            if case .integer(let count) = value { .integer(count + 1) } else { 1 }
                        }
                    }
                }
                try await group.waitForAll()
            }

            #expect(server.value(at: "votes") == 20)
        }

        @Test func `An update fails after the maximum number of conflicts`() async throws {
            let votes = try fixture.database.reference("votes")
            var calls = 0

            await #expect {
                try await votes.update(attempts: 3) { _ in
                    calls += 1
                    server.write(.integer(100 + calls), at: "votes")
                    return 0
                }
            } throws: { error in
                if case RealtimeDatabase.Failure.preconditionFailed = error { true } else { false }
            }
            #expect(calls == 3 && server.value(at: "votes") == 103)
            #expect(try await votes.update { _ in nil } == 103)
        }

        // MARK: Queries

        @Test func `A query selects children`() async throws {
            server.write(
                [
                    "a": ["price": 3, "city": "Bath"], "b": ["price": 1, "city": "York"], "c": ["price": 2, "city": "York"],
                    "d": ["city": "Hull"],
                ], at: "orders")

            func keys(_ query: DatabaseQuery) async throws -> [String] {
                try await orders.get([String: JSONValue].self, where: query)?.keys.sorted() ?? []
            }

            #expect(try await keys(DatabaseQuery(by: .child("price")).starting(at: 2)) == ["a", "c"])
            #expect(try await keys(DatabaseQuery(by: .child("price")).starting(after: 1).ending(before: 3)) == ["c"])
            #expect(try await keys(DatabaseQuery(by: .child("price")).first(2)) == ["b", "d"])
            #expect(try await keys(DatabaseQuery(by: .child("price")).last(1)) == ["a"])
            #expect(try await keys(DatabaseQuery(by: .child("city")).equal(to: "York")) == ["b", "c"])
            #expect(try await keys(DatabaseQuery(by: .key).starting(at: "b").ending(at: "c")) == ["b", "c"])
            #expect(try await keys(DatabaseQuery(by: .child("city")).equal(to: "Rome")).isEmpty)
        }

        @Test func `A query of a signed-in user finds a value with a plus sign`() async throws {
            server.write(["a": ["phone": "+4912"], "b": ["phone": " 4912"]], at: "orders")
            try await fixture.signIn()

            let found = try await orders.get(
                [String: JSONValue].self, where: DatabaseQuery(by: .child("phone")).equal(to: "+4912"))

            #expect(found?.keys.sorted() == ["a"])
        }

        // MARK: Authorization

        @Test func `A denied request fails without a retry`() async throws {
            server.setRules(read: { _, user in user != nil }, write: { _, user in user == "user-2" })

            for isSignedIn in [false, true] {
                if isSignedIn { try await fixture.signIn() }
                await #expect { try await orders.put(1) } throws: { error in
                    guard case RealtimeDatabase.Failure.refused(401, let reason) = error else { return false }
                    return reason == "Permission denied"
                }
            }
            #expect(try await orders.get(Int.self) == nil)
            #expect(server.tokenRefreshCount == 0 && server.requests.filter { $0.hasPrefix("PUT") }.count == 2)
        }

        @Test func `A rejected token is refreshed once for concurrent requests`() async throws {
            server.setRules(read: { _, user in user == "user-1" }, write: { _, _ in false })
            server.write(7, at: "orders")
            try await fixture.signIn()
            server.expireTokens()

            let values = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<8 { group.addTask { try await orders.get(Int.self) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(values == Array(repeating: 7, count: 8) && server.tokenRefreshCount == 1)
        }

        @Test func `No error and no interceptor sees a token`() async throws {
            let observer = URLRecorder()
            let fixture = try FirebaseFixture(interceptors: [observer])
            try await fixture.signIn()
            fixture.server.failNextRequests(with: .internalServerError)

            let failed = await #expect(throws: BackendError.self) { try await fixture.database.root.get(Int.self) }
            fixture.server.stop()
            let unreached = await #expect(throws: BackendError.self) { try await fixture.database.root.get(Int.self) }

            for error in [failed, unreached] {
                var dumped = ""
                dump(error, to: &dumped)
                #expect(!dumped.contains("token-") && !"\(String(reflecting: error))".contains("token-"))
                #expect(error?.url.query() == "ns=demo-default-rtdb")
            }
            #expect(!observer.seen.isEmpty && !observer.seen.contains { $0.contains("token-") })
        }

        @Test func `A transient status is a BackendError, and a refusal carries the reason of the server`() async throws {
            server.failNextRequests(with: .serviceUnavailable, .notFound)

            await #expect { try await orders.get(Int.self) } throws: { error in
                if case BackendError.status(503, _, let response) = error { !response.body.isEmpty } else { false }
            }
            await #expect { try await orders.get(Int.self) } throws: { error in
                if case RealtimeDatabase.Failure.refused(404, "Out of order") = error { true } else { false }
            }
        }
    }
}

/// An interceptor that records the URLs of all messages and responses.
private final class URLRecorder: RequestInterceptor {
    private let log = Log()

    var seen: [String] { log.lines }

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        log.append(message.url.absoluteString)
        let response = try await next(message)
        log.append(response.url.absoluteString)
        return response
    }
}
