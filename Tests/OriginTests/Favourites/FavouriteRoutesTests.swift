import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingTesting
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import Origin

@Suite("Favourite routes")
struct FavouriteRoutesTests {
    private static let noon = "2026-05-15T12:00:00Z"
    private let path = "/v1/deliveries/7/favourite"

    @Test func `A favourite is stored, returned and included in the lists`() async throws {
        let origin = try await makeOrigin()

        let before = try await origin.response(to: path)
        let response = try await origin.put(path, true, at: Self.noon, key: "a")
        let after = try await origin.response(to: path)

        #expect(before.text == #"{"id":7,"favourite":false,"at":null}"#)
        #expect(
            response.status == .ok && response.headers[.contentType] == "application/json" && response.headers[.cacheControl] == "no-store")
        #expect(response.text == #"{"id":7,"favourite":true,"at":"2026-05-15T12:00:00Z"}"#)
        #expect(after.text == response.text && after.headers[.eTag] != before.headers[.eTag])
        let rows = try await origin.response(to: "/v1/deliveries?offset=0&limit=20").decoded([DeliveryRow].self)
        #expect(rows.filter { $0.favourite == true }.map(\.id) == [7])
        let later = try await origin.response(to: "/v2/deliveries?offset=0&limit=20").decoded([SecondVersionDeliveryRow].self)
        #expect(later.firstIndex { $0.isFavourite } == 7 && later.count { $0.isFavourite } == 1)
    }

    @Test func `The later version has the same favourites under its own ids`() async throws {
        let origin = try await makeOrigin()
        let key = DemoDeliveries(count: 50, seed: 1).delivery(7).key.text

        let response = try await origin.put("/v2/deliveries/\(key)/favourite", true, at: Self.noon, key: "a")

        #expect(response.text == #"{"id":"\#(key)","favourite":true,"at":"2026-05-15T12:00:00Z"}"#)
        #expect(try await origin.response(to: path).text.contains(#""favourite":true"#))
    }

    @Test func `A favourite is removed by false and by DELETE with the current time`() async throws {
        let origin = try await makeOrigin()
        _ = try await origin.put(path, true, at: "2026-05-15T11:00:00Z", key: "a")

        let undone = try await origin.put(path, false, at: "2026-05-15T11:00:01.250Z", key: "b")
        _ = try await origin.put(path, true, at: "2026-05-15T11:00:02Z", key: "c")
        let deleted = try await origin.response(to: path, method: .delete, headers: [.idempotencyKey: "d"])

        #expect(undone.text == #"{"id":7,"favourite":false,"at":"2026-05-15T11:00:01.250Z"}"#)
        #expect(deleted.status == .ok && deleted.text == #"{"id":7,"favourite":false,"at":"2026-05-15T12:00:00Z"}"#)
    }

    @Test func `An older action never overwrites a newer one and gets the newer state`() async throws {
        let origin = try await makeOrigin()
        _ = try await origin.put(path, true, at: "2026-05-15T11:00:00Z", key: "a")

        let older = try await origin.put(path, false, at: "2026-05-15T10:59:59.999Z", key: "b")
        let equal = try await origin.put(path, false, at: "2026-05-15T13:00:00+02:00", key: "c")

        #expect(older.status == .ok && older.text == #"{"id":7,"favourite":true,"at":"2026-05-15T11:00:00Z"}"#)
        #expect(equal.text == #"{"id":7,"favourite":false,"at":"2026-05-15T11:00:00Z"}"#)
    }

    @Test(arguments: [("2026-05-15T12:05:00Z", "2026-05-15T12:05:00Z"), ("2026-05-15T12:05:00.001Z", "2026-05-15T12:00:00Z")])
    func `A timestamp beyond the maximum clock skew counts as now`(said: String, taken: String) async throws {
        let response = try await makeOrigin().put(path, true, at: said, key: "a")

        #expect(response.text.contains(taken))
    }

    // MARK: Idempotency keys

    @Test func `A repeated request gets the stored response and has no effect`() async throws {
        let origin = try await makeOrigin()
        let first = try await origin.put(path, true, at: "2026-05-15T11:00:00Z", key: "\"a\"")
        _ = try await origin.put(path, false, at: "2026-05-15T11:30:00Z", key: "b")

        let again = try await origin.put(path, true, at: "2026-05-15T11:00:00Z", key: "\"a\"")

        #expect(again.status == first.status && again.text == first.text && again.headers == first.headers)
        #expect(try await origin.response(to: path).text.contains(#""favourite":false"#))
    }

    @Test func `A repeated DELETE does not undo later changes`() async throws {
        let now = Mutex(demoDate)
        let origin = try await makeOrigin(now: { now.withLock { $0 } })
        let first = try await origin.response(to: path, method: .delete, headers: [.idempotencyKey: "a"])
        now.withLock { $0 += 60 }
        _ = try await origin.put(path, true, at: "2026-05-15T12:01:00Z", key: "b")
        now.withLock { $0 += 60 }

        let again = try await origin.response(to: path, method: .delete, headers: [.idempotencyKey: "a"])

        #expect(again.text == first.text)
        #expect(try await origin.response(to: path).text.contains(#""favourite":true"#))
    }

    @Test func `A request without a key is refused`() async throws {
        let origin = try await makeOrigin()

        let put = try await origin.put(path, true, at: Self.noon, key: nil)
        let delete = try await origin.response(to: path, method: .delete)

        #expect([put.status, delete.status] == [.badRequest, .badRequest])
        #expect(put.headers[.contentType] == "application/problem+json")
        #expect(put.text.hasPrefix(#"{"title":"Idempotency-Key is missing","#))
        #expect(try await origin.response(to: path).text.contains("null"))
    }

    @Test(arguments: ["", "\"\"", "\"a", "a b", "a\"b", "\"a\\\\b\"", String(repeating: "a", count: 256)])
    func `A malformed key is refused`(key: String) async throws {
        let response = try await makeOrigin().put(path, true, at: Self.noon, key: key)

        #expect(response.status == .badRequest && response.text.contains("Idempotency-Key is not valid"))
    }

    @Test func `A key that was used for another request is refused`() async throws {
        let origin = try await makeOrigin()
        _ = try await origin.put(path, true, at: Self.noon, key: "a")

        let responses = [
            try await origin.put(path, false, at: Self.noon, key: "a"),
            try await origin.put(path, true, at: "2026-05-15T11:59:59Z", key: "a"),
            try await origin.put("/v1/deliveries/8/favourite", true, at: Self.noon, key: "\"a\""),
            try await origin.response(to: path, method: .delete, headers: [.idempotencyKey: "a"]),
        ]

        #expect(responses.allSatisfy { $0.status == .unprocessableContent && $0.text.contains("Idempotency-Key is already used") })
        #expect(try await origin.response(to: "/v1/deliveries/8/favourite").text.contains("null"))
    }

    @Test(.timeLimit(.minutes(10))) func `A request whose key is in use gets 409`() async throws {
        let origin = try await makeOrigin()
        let gate = Gate()

        async let first = origin.put(path, body: #"{"favourite": true, "at": "2026-05-15T11:00:00Z"}"#, behind: gate, key: "a")
        await gate.waitForWaiters(count: 1)
        let meanwhile = try await origin.put(path, true, at: "2026-05-15T11:00:00Z", key: "a")
        let other = try await origin.put(path, true, at: "2026-05-15T10:00:00Z", key: "b")
        gate.open()
        let status = try await first
        let afterwards = try await origin.put(path, true, at: "2026-05-15T11:00:00Z", key: "a")

        #expect(meanwhile.status == .conflict && meanwhile.text.contains("A request is outstanding for this Idempotency-Key"))
        #expect(other.status == .ok && status == .ok && afterwards.status == .ok)
        #expect(afterwards.text.contains("11:00:00Z"))
    }

    // MARK: Rejections

    @Test func `A refused delivery is accepted later with the same key`() async throws {
        let origin = try await makeOrigin()
        let refused = try await origin.response(to: "/-/refusals/7", method: .put)

        let no = try await origin.put(path, true, at: Self.noon, key: "a")
        let other = try await origin.put("/v1/deliveries/8/favourite", true, at: Self.noon, key: "b")
        let before = try await origin.response(to: path)
        let taken = try await origin.response(to: "/-/refusals/7", method: .delete)
        let yes = try await origin.put(path, true, at: Self.noon, key: "a")

        #expect(refused.status == .noContent && taken.status == .noContent)
        #expect(no.status == .forbidden && no.text == "This favourite cannot be changed.\n")
        #expect(other.status == .ok && yes.status == .ok)
        #expect(before.text.contains("null"))
    }

    @Test(arguments: [
        "/v1/deliveries/50/favourite", "/v1/deliveries/-1/favourite", "/v1/deliveries/07/favourite", "/v1/deliveries/x/favourite",
        "/v2/deliveries/7/favourite", "/v2/deliveries/000000000000000000000007/favourite",
    ])
    func `An unknown delivery is not found`(path: String) async throws {
        let origin = try await makeOrigin()

        let put = try await origin.put(path, true, at: Self.noon, key: "a")
        let get = try await origin.response(to: path)

        #expect([put.status, get.status] == [.notFound, .notFound])
    }

    @Test(arguments: [
        "", "{", "[]", "true", #"{"favourite":true}"#, #"{"at":"2026-05-15T12:00:00Z"}"#,
        #"{"favourite":"yes","at":"2026-05-15T12:00:00Z"}"#,
        #"{"favourite":true,"at":1778846400}"#, #"{"favourite":true,"at":"yesterday"}"#, #"{"favourite":true,"at":"2026-05-15"}"#,
        #"{"favourite":true,"at":"2026-05-15T12:00:00"}"#, #"{"favourite":true,"at":""}"#,
        #"{"favourite":true,"at":"2026-02-30T12:00:00Z"}"#, #"{"favourite":true,"at":"2026-05-15T12:00:00Z yesterday"}"#,
        #"{"favourite":true,"at":"2026-5-1T1:2:3Z"}"#, #"{"favourite":true,"at":"2026-05-15T12:00:00UTC"}"#,
    ])
    func `An invalid body is refused and its key stays unused`(body: String) async throws {
        let origin = try await makeOrigin()
        let fields: HTTPFields = [.contentType: "application/json", .idempotencyKey: "a"]

        let wrong = try await origin.response(to: path, method: .put, headers: fields, body: body)
        let right = try await origin.put(path, true, at: Self.noon, key: "a")

        #expect(wrong.status == .badRequest && right.status == .ok)
    }

    @Test(arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonx"])
    func `A body of another type is refused`(type: String?) async throws {
        var fields: HTTPFields = [.idempotencyKey: "a"]
        fields[.contentType] = type

        let response = try await makeOrigin().response(to: path, method: .put, headers: fields, body: "{}")

        #expect(response.status == .unsupportedMediaType)
    }

    @Test(arguments: [(4_096, 200), (4_097, 413)])
    func `A body that is too long is refused`(size: Int, status: Int) async throws {
        let fields: HTTPFields = [.contentType: "application/json; charset=utf-8", .idempotencyKey: "a"]
        let body = #"{"favourite":true,"at":"2026-05-15T12:00:00Z"}"#
        let padded = body + String(repeating: " ", count: size - body.utf8.count)

        let response = try await makeOrigin().response(to: path, method: .put, headers: fields, body: padded)

        #expect(response.status.code == status)
    }

    @Test func `Other methods are refused with the allowed ones`() async throws {
        let response = try await makeOrigin().response(to: path, method: .post)

        #expect(response.status == .methodNotAllowed && response.headers[.allow] == "GET, HEAD, PUT, DELETE")
    }
}

@Suite("Action timestamps")
struct ActionTimestampTests {
    @Test(arguments: [
        ("2026-05-15T12:00:00Z", "2026-05-15T12:00:00Z"), ("2026-05-15T12:00:00.5Z", "2026-05-15T12:00:00.500Z"),
        ("2026-05-15T12:00:00.123456Z", "2026-05-15T12:00:00.123Z"), ("2026-05-15T14:00:00+02:00", "2026-05-15T12:00:00Z"),
        ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
    ])
    func `Timestamps are parsed to the millisecond with any offset and written in UTC`(text: String, written: String) throws {
        #expect(try #require(ActionTimestamp(text)).text == written)
    }
}

extension OriginServer {
    /// Sets whether a delivery is a favourite.
    func put(_ path: String, _ isFavourite: Bool, at timestamp: String, key: String?) async throws -> TestResponse {
        var fields: HTTPFields = [.contentType: "application/json"]
        fields[.idempotencyKey] = key
        return try await response(to: path, method: .put, headers: fields, body: #"{"favourite": \#(isFavourite), "at": "\#(timestamp)"}"#)
    }

    /// Sends a request whose body is delayed until a gate opens, and returns the status of the response.
    fileprivate func put(_ path: String, body: String, behind gate: Gate, key: String) async throws -> HTTPResponse.Status {
        let chunks = Mutex([ByteBuffer(string: body)])
        let stream = AsyncStream {
            try? await gate.wait()
            return chunks.withLock { $0.popLast() }
        }
        let head = HTTPRequest(
            method: .put, scheme: "http", authority: "localhost", path: path,
            headerFields: [.contentType: "application/json", .idempotencyKey: key])
        let context = OriginContext(source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: silentLogger))
        return try await application.responder.respond(to: Request(head: head, body: RequestBody(asyncSequence: stream)), context: context)
            .status
    }
}
