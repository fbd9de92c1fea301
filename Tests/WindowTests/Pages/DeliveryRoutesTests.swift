import Deliveries
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingFeeds
import LadingHTTP
import LadingTesting
import NIOCore
import Testing

@testable import Window

/// The pages of the deliveries as a client without a browser sees them.
@Suite struct DeliveryRoutesTests {
    private let executor = ScriptedExecutor()
    private let store = MemoryRecordStore<Delivery>()
    private let journal = MemoryOutboxJournal()
    private let server: WindowServer
    private let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml"]

    init() async throws {
        server = try await WindowServer(showing: executor, storing: store, journal: journal)
        executor.script("http://a.org/1.svg", .reply(headers: [.contentType: "image/svg+xml"], text: "<svg/>"))
        var rows = (0..<70).map { id in
            Delivery(
                id: DeliveryID(id), title: "Delivery \(id)", picture: URL(string: "http://a.org/\(id).svg"),
                location: GeographicPoint(latitude: 51.5, longitude: -0.12), address: "\(id) Main Street")
        }
        rows[1].location = GeographicPoint(latitude: 40.764, longitude: -73.923)
        rows[1].address = "1 Main Street, Lading Harbor"
        rows[3].location = nil
        rows[4] = Delivery(
            id: "4", title: "", route: DeliveryRoute(start: "Alder Street", end: "Oak Lane"),
            sender: DeliverySender(name: "Zoë", phone: "+1 (555) 010-7788", email: "z@a.org"), remarks: "Ring twice", fee: Money("$92.14"))
        _ = try await store.store(RecordPage(rows, at: 0, generation: 1, isEnd: true))
    }

    private func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await server.application.test(.router) { try await $0.execute(uri: path, method: .get, headers: headers) }
    }

    // MARK: The list

    @Test func `A client without scripts gets the rows in the page, and the way to the next`() async throws {
        let page = try await get("/deliveries")

        #expect(page.status == .ok)
        #expect(page.text.matches(of: /data-state="loaded"/).count == 30)
        #expect(page.text.contains("at 0 Main Street"))
        #expect(page.text.contains("from=30"))
        #expect(!page.text.contains("That is all"))
        #expect(executor.requests.isEmpty)
    }

    @Test func `The last page says that it is the last`() async throws {
        let page = try await get("/deliveries?plain=1&from=60")

        #expect(page.text.matches(of: /data-index=/).count == 10)
        #expect(page.text.contains("That is all"))
        #expect(page.text.contains("61–70 of 70"))
    }

    @Test func `A browser gets the first rows at once, from the store`() async throws {
        let page = try await get("/deliveries", browser)

        #expect(page.text.contains("70 deliveries"))
        #expect(page.text.matches(of: /data-state="loaded"/).count == 30)
        #expect(page.text.contains("deliveries.js"))
        #expect(executor.requests.isEmpty)
    }

    @Test func `Only what some delivery has a value for can be sorted by`() async throws {
        let page = try await get("/deliveries")

        let sorts = page.text.matches(of: /name="sort" value="(\w*)"/).map { String($0.output.1) }
        #expect(sorts == ["title", "nearest", "fee", "feeDown", ""])
    }

    @Test(arguments: ["-5", "999999", "9223372036854775807", "x"]) func `A place beyond the list is no error`(from: String) async throws {
        let page = try await get("/deliveries?from=\(from)")

        #expect(page.status == .ok)
        #expect(page.text.contains("<article"))
    }

    @Test func `A search finds among all that is stored`() async throws {
        let page = try await get("/deliveries?search=delivery+6&sort=title")

        #expect(page.text.matches(of: /data-state="loaded"/).count == 16)
        #expect(page.text.contains("16 deliveries"))
    }

    @Test func `Without a network a page without scripts says how old its rows are`() async throws {
        struct Down: Error {}
        let store = MemoryRecordStore<Delivery>(now: { Date(timeIntervalSince1970: -7_300) })
        _ = try await store.store(RecordPage([Delivery(id: "1", title: "Lamp")], at: 0, generation: 1, next: .offset(1)))
        for offset in 0...1 {
            executor.script(DeliveryWire.page(offset), .failure(BackendError.unreachable(DeliveryWire.list, cause: Down())))
        }
        let server = try await WindowServer(showing: executor, storing: store)

        let page = try await server.application.test(.router) { try await $0.execute(uri: "/deliveries", method: .get) }

        #expect(page.text.contains("Offline. Stored 2 hours ago"))
        #expect(page.text.contains("Lamp"))
    }

    // MARK: One delivery

    @Test func `A delivery has its map with its address at the pin`() async throws {
        let page = try await get("/deliveries/1")

        #expect(page.text.contains("<h1 dir=\"auto\">Delivery 1</h1>"))
        #expect(page.text.contains("id=\"map\""))
        #expect(page.text.contains(">1 Main Street</text>"))
        #expect(page.text.contains("geo:40.764,-73.923"))
    }

    @Test func `A delivery outside the demo city has its position in the place of a map`() async throws {
        let page = try await get("/deliveries/2")

        #expect(!page.text.contains("id=\"map\"") && !page.text.contains("Lading Harbor"))
        #expect(page.text.contains("There is no map of this place.") && page.text.contains("51.5, -0.12"))
        #expect(page.text.contains("https://www.openstreetmap.org/?mlat=51.5&amp;mlon=-0.12"))
    }

    @Test func `One without a location says so, and has no map`() async throws {
        let page = try await get("/deliveries/3")

        #expect(page.text.contains("There is no location for this delivery."))
        #expect(!page.text.contains("id=\"map\""))
    }

    @Test func `One of the later version has its route, its sender and its fee`() async throws {
        let page = try await get("/deliveries/4")

        #expect(page.text.contains("\u{200E}\u{2068}Alder Street\u{2069} → \u{2068}Oak Lane\u{2069}"))
        #expect(page.text.contains("href=\"tel:+15550107788\""))
        #expect(page.text.contains("href=\"mailto:z@a.org\""))
        #expect(page.text.contains("$92.14"))
        #expect(page.text.contains("Ring twice"))
    }

    @Test func `One that is not stored is not found`() async throws {
        let page = try await get("/deliveries/999")

        #expect(page.status == .notFound)
        #expect(page.text.contains("href=\"/deliveries\""))
    }

    @Test func `What a server sent is text, wherever it stands`() async throws {
        let hostile = #"'"><script>alert(1)</script>{{texts.brand}}"#
        let delivery = Delivery(
            id: DeliveryID(hostile), title: hostile, address: hostile, route: DeliveryRoute(start: hostile, end: hostile),
            sender: DeliverySender(name: hostile, phone: hostile, email: hostile), remarks: hostile, fee: Money(hostile))
        _ = try await store.store(RecordPage([delivery], at: 0, generation: 2))

        for path in ["/deliveries", "/deliveries/\(hostile.asURLComponent)"] {
            let page = try await get(path).text
            #expect(page.contains("&lt;script&gt;"))
            #expect(!page.contains("<script>"))
            #expect(page.contains("{{texts.brand}}"))
        }
    }

    // MARK: Pictures

    @Test func `A picture comes through the window, to be kept under an address of its own`() async throws {
        let address = try #require(try await get("/deliveries/1").text.firstMatch(of: /src="(\/deliveries\/1\/picture\?v=\w+)"/)).output.1

        let picture = try await get(String(address))

        #expect(picture.headers[.contentType] == "image/svg+xml")
        #expect(picture.headers[.cacheControl] == "private, max-age=86400")
        #expect(picture.text == "<svg/>")
        #expect(try await get("/deliveries/1/picture?v=older").headers[.cacheControl] == "no-store")
    }

    @Test func `A picture that cannot be had is a placeholder that nobody keeps`() async throws {
        let picture = try await get("/deliveries/2/picture")

        #expect(picture.status == .nonAuthoritativeInformation)
        #expect(picture.headers[.cacheControl] == "no-store")
        #expect(picture.text.contains("<path"))
    }

    // MARK: Marks

    private func put(
        _ path: String, _ body: String, key: String? = "\"k1\"", from site: String = "same-origin"
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.idempotencyKey] = key
        headers[try #require(HTTPField.Name("Sec-Fetch-Site"))] = site
        return try await server.application.test(.router) { [headers] in
            try await $0.execute(uri: path, method: .put, headers: headers, body: ByteBuffer(string: body))
        }
    }

    private let mark = #"{"favourite":true,"at":"2026-05-15T12:00:00.250Z"}"#

    @Test func `A mark is kept, shown, and answered with what is shown`() async throws {
        let reply = try await put("/deliveries/1/favourite", mark)

        #expect(reply.status == .ok)
        #expect(reply.text.contains(#""favourite":true"#))
        #expect(try await store.record(of: "1")?.shown.isFavourite == true)
        #expect(try await get("/deliveries/1").text.contains(#"aria-pressed="true""#))
    }

    @Test(
        arguments: [
            (#"{"favourite":true,"at":"2026-05-15T12:00:00Z"}"#, nil), (#"{"favourite":true,"at":"2026-05-15T12:00:00Z"}"#, "\"\""),
            (#"{"favourite":true,"at":"yesterday"}"#, "k"), (#"{"favourite":true}"#, "k"), ("[]", "k"), ("", "k"),
        ] as [(String, String?)])
    func `A mark without a key or a time is refused`(body: String, key: String?) async throws {
        #expect(try await put("/deliveries/1/favourite", body, key: key).status == .badRequest)
        #expect(try await store.record(of: "1")?.shown.isFavourite == false)
    }

    @Test func `Only pages of this server may mark, and only what is stored`() async throws {
        #expect(try await put("/deliveries/1/favourite", mark, from: "cross-site").status == .forbidden)
        #expect(try await put("/deliveries/999/favourite", mark).status == .notFound)
    }

    @Test func `On a full disk a mark is answered with a problem, and with a page where one is wanted`() async throws {
        journal.fail(with: OutboxError.diskFull)
        var headers = browser
        headers[.contentType] = "application/x-www-form-urlencoded"

        let reply = try await put("/deliveries/1/favourite", mark)
        let page = try await server.application.test(.router) { [headers] in
            try await $0.execute(
                uri: "/deliveries/1/favourite", method: .post, headers: headers, body: ByteBuffer(string: "favourite=true"))
        }

        #expect(reply.status.code == 507)
        #expect(page.status.code == 507)
        #expect(reply.headers[.contentType] == "application/problem+json")
        #expect(reply.text.contains(#""status":507"#))
        #expect(page.headers[.contentType]?.hasPrefix("text/html") == true)
        #expect(page.text.contains("disk"))
        let record = try await store.record(of: "1")
        #expect(record?.shown.isFavourite == false)
    }

    @Test func `A form without scripts marks too, and leads back to its page`() async throws {
        let headers: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .referer: "http://localhost/deliveries?plain=1&from=30",
        ]

        let reply = try await server.application.test(.router) {
            try await $0.execute(
                uri: "/deliveries/1/favourite", method: .post, headers: headers, body: ByteBuffer(string: "favourite=true"))
        }

        #expect(reply.status == .seeOther)
        #expect(reply.headers[.location] == "/deliveries?plain=1&from=30")
        #expect(try await store.record(of: "1")?.shown.isFavourite == true)
    }
}
