import Foundation
import HTTPTypes
import LadingFirebase
import LadingFirebaseTesting
import LadingHTTP
import LadingTesting
import Testing

extension URLSessionTests {
    @Suite struct DatabaseEventsTests: FirebaseSuite {
        let fixture: FirebaseFixture

        init() throws { fixture = try FirebaseFixture() }

        @Test func `A stream starts with the whole value and then reports changes`() async throws {
            server.write(["a": ["title": "Milk"]], at: "orders")
            var events = orders.events().makeAsyncIterator()

            #expect(try await events.next() == .put([], ["a": ["title": "Milk"]]))
            try await orders.child("b").put("Bread")
            #expect(try await events.next() == .put(["b"], "Bread"))
            try await orders.child("a").patch(["title": "Oat milk", "price": 2])
            #expect(try await events.next() == .patch(["a"], ["title": "Oat milk", "price": 2]))
            server.sendKeepAlive()
            #expect(try await events.next() == .keepAlive)
            server.write("elsewhere", at: "other")
            server.write(["orders": 1])
            #expect(try await events.next() == .put([], 1))
            try await orders.delete()
            #expect(try await events.next() == .put([], .null))
        }

        @Test func `A copy of a list equals the list that the database returns`() async throws {
            server.write(["milk", "bread"], at: "orders/items")
            var events = orders.events().makeAsyncIterator()
            var copy = JSONValue.null

            copy.apply(try #require(try await events.next()))
            try await orders.child("items").child("1").put("butter")
            copy.apply(try #require(try await events.next()))

            #expect(try copy.decode([String: [String]].self) == ["items": ["milk", "butter"]])
            #expect(try await orders.get(JSONValue.self) == copy)
        }

        @Test func `Concurrent streams converge to the value of the database`() async throws {
            let readers = try await withThrowingTaskGroup(of: JSONValue.self) { group in
                for path in ["", "orders", "orders/x"] {
                    let reference = try fixture.database.reference(path)
                    group.addTask {
                        var value = JSONValue.null
                        for try await event in reference.events() {
                            value.apply(event)
                            if "\(value)".contains("enough") { break }
                        }
                        return value
                    }
                }
                try await server.waitForStreams(3)
                for number in 1...50 { server.write(.integer(number), at: "orders/x/n\(number % 7)") }
                server.write("enough", at: "orders/x/end")
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }

            #expect(readers == [server.value(), server.value(at: "orders"), server.value(at: "orders/x")])
        }

        @Test func `A stream is closed when its reader stops`() async throws {
            for try await event in orders.events() {
                #expect(event == .put([], .null))
                break
            }
            try await server.waitForStreams(0)

            let reader = Task { for try await _ in orders.events() {} }
            try await server.waitForStreams(1)
            reader.cancel()
            try await server.waitForStreams(0)
            await #expect(throws: CancellationError.self) { try await reader.value }
        }

        @Test func `A filtered stream reports only the children of its query`() async throws {
            server.write(["a": 1, "b": 2, "c": 3], at: "orders")
            var events = orders.events(where: DatabaseQuery(by: .value).last(2)).makeAsyncIterator()

            #expect(try await events.next() == .put([], ["b": 2, "c": 3]))
            server.write(0, at: "orders/a")
            server.write(4, at: "orders/d")
            #expect(try await events.next() == .put([], ["c": 3, "d": 4]))
        }

        @Test func `A broken stream is reopened after a delay and starts with the whole value`() async throws {
            let fixture = try FirebaseFixture(jitter: 0.5)
            var events = fixture.database.root.events().makeAsyncIterator()
            #expect(try await events.next() == .put([], .null))

            fixture.server.closeStreams()
            fixture.server.write("missed")

            #expect(try await events.next() == .interrupted)
            let timer = await fixture.clock.nextTimer()
            fixture.clock.advance(by: .milliseconds(499))
            #expect(await fixture.clock.nextTimer() == timer)
            fixture.clock.advance(by: .milliseconds(1))
            #expect(try await events.next() == .put([], "missed"))
        }

        @Test func `A stream fails with the reason after the last attempt`() async throws {
            let fixture = try FirebaseFixture(attempts: 2)
            var events = fixture.database.root.events().makeAsyncIterator()
            #expect(try await events.next() == .put([], .null))

            fixture.server.failNextRequests(with: .serviceUnavailable, .serviceUnavailable)
            fixture.server.closeStreams()

            #expect(try await events.next() == .interrupted)
            await #expect { try await events.next() } throws: { error in
                if case BackendError.status(503, _, _) = error { true } else { false }
            }
        }

        @Test func `A stream follows a redirect to another server`() async throws {
            try await fixture.signIn()
            server.setRules(read: { _, user in user == "user-1" }, write: { _, _ in false })
            server.redirectStreams(to: "localhost")
            var events = orders.events().makeAsyncIterator()

            #expect(try await events.next() == .put([], .null))
            #expect(server.requests.filter { $0.contains("orders.json") }.count == 2)
        }

        @Test func `An expired token is refreshed, and the stream is reopened`() async throws {
            try await fixture.signIn()
            server.setRules(read: { _, user in user == "user-1" }, write: { _, _ in false })
            var events = orders.events().makeAsyncIterator()
            #expect(try await events.next() == .put([], .null))

            server.expireTokens()
            #expect(try await events.next() == .interrupted)
            #expect(try await events.next() == .put([], .null))

            #expect(server.tokenRefreshCount == 1)
        }

        @Test func `A stream is opened with a new token when the first one is rejected`() async throws {
            try await fixture.signIn()
            server.expireTokens()
            var events = orders.events().makeAsyncIterator()

            #expect(try await events.next() == .interrupted)
            #expect(try await events.next() == .put([], .null))
            #expect(server.tokenRefreshCount == 1)
        }

        @Test func `A stream that outlives its token and later ones is reopened with a valid one`() async throws {
            try await fixture.signIn()
            server.setRules(read: { _, user in user == "user-1" }, write: { _, _ in false })
            var events = orders.events().makeAsyncIterator()
            #expect(try await events.next() == .put([], .null))

            for _ in 1...9 {
                fixture.time.advance(by: 3_600)
                _ = try await fixture.authentication.idToken()
            }
            fixture.time.advance(by: 3_600)
            server.setRules(read: { _, user in user == "user-1" }, write: { _, _ in false })

            #expect(try await events.next() == .interrupted)
            #expect(try await events.next() == .put([], .null))
            #expect(server.tokenRefreshCount == 10)
        }

        @Test func `A stream of a user who has signed out is not continued as nobody`() async throws {
            try await fixture.signIn()
            var events = orders.events().makeAsyncIterator()
            #expect(try await events.next() == .put([], .null))

            fixture.authentication.signOut()
            server.expireTokens()

            #expect(try await events.next() == .interrupted)
            await #expect { try await events.next() } throws: { error in
                if case RealtimeDatabase.Failure.authenticationRevoked = error { true } else { false }
            }
            #expect(server.requests.filter { $0.contains("orders.json") }.count == 1)
        }

        @Test(arguments: [false, true]) func `A stream of one user is not continued as another`(isRevoked: Bool) async throws {
            try await fixture.signIn()
            var events = orders.events().makeAsyncIterator()
            #expect(try await events.next() == .put([], .null))

            fixture.authentication.signOut()
            if isRevoked { server.expireTokens() } else { server.closeStreams() }
            try await fixture.authentication.signUp(email: "eve@example.org", password: "long enough")

            #expect(try await events.next() == .interrupted)
            await #expect { try await events.next() } throws: { error in
                if case RealtimeDatabase.Failure.authenticationRevoked = error { true } else { false }
            }
            #expect(server.requests.filter { $0.contains("orders.json") }.count == 1)
        }

        @Test func `A stream is continued when its user has signed in again`() async throws {
            try await fixture.signIn()
            server.setRules(read: { _, user in user == "user-1" }, write: { _, _ in false })
            var events = orders.events().makeAsyncIterator()
            #expect(try await events.next() == .put([], .null))

            try await fixture.signIn()
            server.closeStreams()

            #expect(try await events.next() == .interrupted)
            #expect(try await events.next() == .put([], .null))
        }

        @Test func `A failed token refresh is thrown to the reader`() async throws {
            try await fixture.signIn()
            var events = orders.events().makeAsyncIterator()
            #expect(try await events.next() == .put([], .null))

            server.revokeRefreshTokens()
            server.expireTokens()

            #expect(try await events.next() == .interrupted)
            await #expect { try await events.next() } throws: { error in
                if case FirebaseAuthentication.Failure.refused(.invalidRefreshToken, _) = error { true } else { false }
            }
        }

        @Test func `A stream fails when the rules no longer allow it`() async throws {
            var events = orders.events().makeAsyncIterator()
            #expect(try await events.next() == .put([], .null))

            server.setRules(read: { _, _ in false }, write: { _, _ in false })
            await #expect { try await events.next() } throws: { error in
                guard case RealtimeDatabase.Failure.cancelled(let path, let reason) = error else { return false }
                return path.keys == ["orders"] && reason == "Permission denied"
            }

            var others = orders.events().makeAsyncIterator()
            await #expect { try await others.next() } throws: { error in
                if case RealtimeDatabase.Failure.refused(401, "Permission denied") = error { true } else { false }
            }
        }

        @Test func `An invalid query is thrown to the reader`() async throws {
            var events = orders.events(where: DatabaseQuery(by: .value).first(0)).makeAsyncIterator()

            await #expect { try await events.next() } throws: { error in
                if case RealtimeDatabase.Failure.invalidQuery = error { true } else { false }
            }
        }

        @Test func `A response of another media type is rejected`() async throws {
            let executor = ScriptedExecutor()
            let database = RealtimeDatabase(try FirebaseProject(id: "demo", apiKey: "key"), client: BackendClient(executor: executor))
            executor.script(
                "https://demo-default-rtdb.firebaseio.com/.json", .response(headers: [.contentType: "application/json"], text: "{}"))
            var events = database.root.events().makeAsyncIterator()

            await #expect(throws: EventStreamError.unexpectedContentType("application/json")) { try await events.next() }
        }
    }
}
