import HTTPTypes
import LadingFirebase
import LadingFirebaseTesting
import LadingHTTP
import Testing

@testable import ScriptedServers

/// A value that is too deep for the database at any path but the root.
private let deepValue = (1...32).reduce(JSONValue.integer(1)) { value, _ in .object(["d": value]) }

extension URLSessionTests {
    /// The agreement of the server's database with that of the service.
    @Suite struct FirebaseServerTests: FirebaseSuite {
        let fixture: FirebaseFixture

        init() throws { fixture = try FirebaseFixture() }

        /// Returns whether the server refused a write as invalid.
        private func isRefused(_ write: () async throws -> Void) async -> Bool {
            do { try await write() } catch RealtimeDatabase.Failure.refused(400, _) { return true } catch {}
            return false
        }

        private func keys(_ query: DatabaseQuery) async throws -> [String] {
            try await orders.get(JSONValue.self, where: query)?.members.keys.sorted() ?? []
        }

        @Test(
            arguments: [
                ["ada@example.org": true], ["b": ["": 1]], ["b": [["x/y": .null]]], [".value": 1, "b": 2],
                ["b": [".priority": true, "c": 1]], ["b": [".sv": "now"]], ["b": [".sv": ["increment": "1"]]], deepValue,
            ] as [JSONValue])
        func `A write with invalid data is refused as a whole`(data: JSONValue) async throws {
            server.write(["a": 1], at: "orders")

            #expect(await isRefused { try await orders.put(data) })
            #expect(await isRefused { _ = try await orders.post(data) })
            #expect(await isRefused { try await orders.patch(["a": 2, "c": data]) })

            #expect(server.value() == ["orders": ["a": 1]])
        }

        @Test func `An update with a path above that of another one is refused`() async throws {
            #expect(await isRefused { try await orders.patch(["a/b": 1, "a": 2, "a-b": 3]) })
            #expect(await isRefused { try await orders.patch(["a/b/c": 1, "a/b-c": 2, "a": 3]) })
            #expect(await isRefused { try await orders.patch(["a": 1, "/a": 2]) })
            #expect(server.value() == .null)

            try await orders.patch(["a/b": 1, "a/c": 2, "ab": 3])
            #expect(server.value(at: "orders") == ["a": ["b": 1, "c": 2], "ab": 3])
        }

        @Test(arguments: ["", "/"]) func `An update of an empty path is not sent`(key: String) async throws {
            await #expect { try await orders.patch([key: 1]) } throws: { error in
                if case RealtimeDatabase.Failure.invalidKey(key) = error { true } else { false }
            }
            #expect(server.requests.isEmpty)
        }

        @Test func `Queries select elements of lists`() async throws {
            try await orders.put(["a", "b", "c"] as JSONValue)

            #expect(try await orders.get(JSONValue.self, where: DatabaseQuery(by: .value).first(1)) == ["a"])
            #expect(try await orders.get(JSONValue.self, where: DatabaseQuery(by: .key).last(1)) == ["2": "c"])
            #expect(try await orders.get(JSONValue.self, where: DatabaseQuery(by: .value).equal(to: "d")) == nil)
        }

        @Test func `A shallow read of a list omits its elements`() async throws {
            server.write([["title": "Milk"], ["title": "Bread"]], at: "orders")
            let message = server.project.database.message(.get, "orders.json", query: ["shallow": true])

            let response = try await fixture.client.response(to: message)

            #expect(try JSONValue(json: response.body) == [true, true])
        }

        @Test func `Priorities order children and are no part of their values`() async throws {
            try await orders.put(
                [
                    "a": [".value": 1, ".priority": 2], "b": ["title": "Milk", ".priority": "x"], "c": 3,
                    "d": [".value": 4, ".priority": 1],
                ] as JSONValue)

            #expect(server.value(at: "orders") == ["a": 1, "b": ["title": "Milk"], "c": 3, "d": 4])
            #expect(try await keys(DatabaseQuery(by: .priority).first(2)) == ["c", "d"])
            #expect(try await keys(DatabaseQuery(by: .priority).starting(at: 2)) == ["a", "b"])
            #expect(try await keys(DatabaseQuery(by: .priority).equal(to: "x")) == ["b"])

            try await orders.patch(["a": .null, "b/price": 2, "d": 4])
            try await orders.child("a").put(1)
            #expect(try await keys(DatabaseQuery(by: .priority).starting(at: 1)) == ["b"])
        }

        @Test func `Increments add fractions, and exceed the range of integers`() async throws {
            server.write(["a": 1.5, "b": .integer(.max), "c": "x", "d": 2, "e": 1.5], at: "orders")
            let half: JSONValue = [".sv": ["increment": 0.5]]

            try await orders.patch(["a": .increment(by: 1), "b": .increment(by: 1), "c": .increment(by: 3), "d": half, "e": half])

            #expect(server.value(at: "orders") == ["a": 2.5, "b": .number(0x1p63), "c": 3, "d": 2.5, "e": 2])
        }

        @Test func `Deleting below a value without children preserves it`() async throws {
            server.write(["title": "Milk"], at: "orders/a")

            try await orders.child("a").child("title").child("x").delete()
            try await orders.child("a").patch(["title/y": .null])

            #expect(server.value() == ["orders": ["a": ["title": "Milk"]]])
        }

        // MARK: Other clients

        /// Sends the beginning of a request, and returns the beginning of the response; nil when the server ends the connection.
        private func rawResponse(_ lines: String...) throws -> String? {
            let socket = try StreamSocket.connected(to: server.httpServer.port)
            defer { socket.close() }
            guard socket.send(Array(lines.joined(separator: "\r\n").utf8), onWrite: { _ in }, onStall: {}) else { return nil }
            return socket.receive(atMost: 4_096).map { String(decoding: $0, as: UTF8.self) }
        }

        @Test(
            arguments: [
                "Content-Length: -1\r\n\r\n", "Content-Length: 9223372036854775807\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n-5\r\n",
                "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n7fffffffffffffff\r\n",
            ])
        func `A body of an invalid length ends the connection, and not the server`(rest: String) async throws {
            #expect(try rawResponse("PUT /orders.json HTTP/1.1", "Host: 127.0.0.1", rest) == nil)

            try await orders.put(1)
            #expect(server.value(at: "orders") == 1)
        }

        @Test func `An invalid range of a file selects all of it, and a list of less than one file is refused`() throws {
            server.storeFile([1, 2], as: "a")
            let path = "/v0/b/demo.firebasestorage.app/o"

            let file = try rawResponse("GET \(path)/a?alt=media HTTP/1.1", "Host: 127.0.0.1", "Range: bytes=-5-", "", "")
            let list = try rawResponse("GET \(path)?maxResults=-1 HTTP/1.1", "Host: 127.0.0.1", "", "")

            #expect(file?.hasPrefix("HTTP/1.1 200 ") == true && list?.hasPrefix("HTTP/1.1 400 ") == true)
        }

        @Test(
            arguments: [
                ("Host: 127.0.0.1:80", 200), ("Host: LOCALHOST", 200), ("Host: example.org", 421), ("Host: 127.0.0.1.example.org:80", 421),
                ("Accept: */*", 421), ("Host: localhost\r\nOrigin: http://example.org", 403), ("Host: localhost\r\nOrigin: null", 403),
                ("Host: localhost\r\nSec-Fetch-Site: cross-site", 403), ("Host: localhost\r\nSec-Fetch-Site: none", 200),
            ])
        func `Websites cannot use the server`(fields: String, status: Int) throws {
            let response = try #require(try rawResponse("GET /orders.json HTTP/1.1", fields, "", ""))

            #expect(response.hasPrefix("HTTP/1.1 \(status) "))
            #expect(response.contains("\r\nCross-Origin-Resource-Policy: same-origin\r\n"))
        }
    }
}
