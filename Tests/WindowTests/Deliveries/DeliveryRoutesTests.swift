import Deliveries
import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingHTTP
import LadingOutbox
import LadingRecords
import LadingTesting
import NIOCore
import Testing
@testable import Window

/// The delivery pages as served to a client.
@Suite struct DeliveryRoutesTests {
    private let executor = ScriptedExecutor()
    private let store = MemoryRecordStore<Delivery>()
    private let journal = MemoryOutboxJournal()
    private let server: WindowServer
    private let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml"]

    init() async throws {
        server = try await WindowServer(executor: executor, store: store, journal: journal)
        executor.script("http://a.org/1.svg", .response(headers: [.contentType: "image/svg+xml"], text: "<svg/>"))
        var rows = (0..<70).map { id in
            Delivery(
                id: DeliveryID(id), title: "Delivery \(id)", imageURL: URL(string: "http://a.org/\(id).svg"),
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

    @Test func `A plain page contains its rows and a link to the next page`() async throws {
        let page = try await get("/deliveries")

        #expect(page.status == .ok)
        #expect(page.text.matches(of: /data-state="loaded"/).count == 30)
        #expect(page.text.contains("at 0 Main Street"))
        #expect(page.text.contains("from=30"))
        #expect(!page.text.contains("End of list"))
        #expect(executor.requests.isEmpty)
    }

    @Test func `The last page shows the end of the list`() async throws {
        let page = try await get("/deliveries?plain=1&from=60")

        #expect(page.text.matches(of: /data-index=/).count == 10)
        #expect(page.text.contains("End of list"))
        #expect(page.text.contains("61–70 of 70"))
    }

    @Test func `A browser gets the first rows at once, from the store`() async throws {
        let page = try await get("/deliveries", browser)

        #expect(page.text.contains("70 deliveries"))
        #expect(page.text.matches(of: /data-state="loaded"/).count == 30)
        #expect(page.text.contains("deliveries.js"))
        #expect(executor.requests.isEmpty)
    }

    @Test func `Only sorts with a value in some delivery are offered`() async throws {
        let page = try await get("/deliveries")

        let sorts = page.text.matches(of: /name="sort" value="(\w*)"/).map { String($0.output.1) }
        #expect(sorts == ["title", "nearest", "fee", "feeDown", ""])
    }

    @Test(arguments: ["-5", "999999", "9223372036854775807", "x"]) func `An index outside the list is no error`(from: String) async throws {
        let page = try await get("/deliveries?from=\(from)")

        #expect(page.status == .ok)
        #expect(page.text.contains("<article"))
    }

    @Test func `A search covers all stored deliveries`() async throws {
        let page = try await get("/deliveries?search=delivery+6&sort=title")

        #expect(page.text.matches(of: /data-state="loaded"/).count == 16)
        #expect(page.text.contains("16 deliveries"))
    }

    @Test func `An offline plain page shows the age of its rows`() async throws {
        struct SampleCause: Error {}
        let store = MemoryRecordStore<Delivery>(now: { Date(timeIntervalSince1970: -7_300) })
        _ = try await store.store(RecordPage([Delivery(id: "1", title: "Lamp")], at: 0, generation: 1, next: .offset(1)))
        for offset in 0...1 {
            executor.script(DeliveryWire.page(offset), .failure(BackendError.unreachable(DeliveryWire.list, cause: SampleCause())))
        }
        let server = try await WindowServer(executor: executor, store: store)

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

    @Test func `A delivery outside the demo city shows its coordinates instead of a map`() async throws {
        let page = try await get("/deliveries/2")

        #expect(!page.text.contains("id=\"map\"") && !page.text.contains("Lading Harbor"))
        #expect(page.text.contains("There is no map of this place.") && page.text.contains("51.5, -0.12"))
        #expect(page.text.contains("https://www.openstreetmap.org/?mlat=51.5&amp;mlon=-0.12"))
    }

    @Test func `A delivery without a location has a message instead of a map`() async throws {
        let page = try await get("/deliveries/3")

        #expect(page.text.contains("This delivery has no location."))
        #expect(!page.text.contains("id=\"map\""))
    }

    @Test func `A delivery of the later version shows its route, sender and fee`() async throws {
        let page = try await get("/deliveries/4")

        #expect(page.text.contains("\u{200E}\u{2068}Alder Street\u{2069} → \u{2068}Oak Lane\u{2069}"))
        #expect(page.text.contains("href=\"tel:+15550107788\""))
        #expect(page.text.contains("href=\"mailto:z@a.org\""))
        #expect(page.text.contains("$92.14"))
        #expect(page.text.contains("Ring twice"))
    }

    @Test func `A delivery that is not stored is not found`() async throws {
        let page = try await get("/deliveries/999")

        #expect(page.status == .notFound)
        #expect(page.text.contains("href=\"/deliveries\""))
    }

    @Test func `Text from a server is escaped everywhere`() async throws {
        let hostile = #"'"><script>alert(1)</script>{{texts.brand}}"#
        let delivery = Delivery(
            id: DeliveryID(hostile), title: hostile, address: hostile, route: DeliveryRoute(start: hostile, end: hostile),
            sender: DeliverySender(name: hostile, phone: hostile, email: hostile), remarks: hostile, fee: Money(hostile))
        _ = try await store.store(RecordPage([delivery], at: 0, generation: 2))

        for path in ["/deliveries", "/deliveries/\(hostile.percentEncodedComponent)"] {
            let page = try await get(path).text
            #expect(page.contains("&lt;script&gt;"))
            #expect(!page.contains("<script>"))
            #expect(page.contains("{{texts.brand}}"))
        }
    }

    // MARK: Images

    @Test func `An image is proxied and cacheable under a versioned URL`() async throws {
        let address = try #require(try await get("/deliveries/1").text.firstMatch(of: /src="(\/deliveries\/1\/picture\?v=\w+)"/)).output.1

        let image = try await get(String(address))

        #expect(image.headers[.contentType] == "image/svg+xml")
        #expect(image.headers[.cacheControl] == "private, max-age=86400")
        #expect(image.text == "<svg/>")
        #expect(try await get("/deliveries/1/picture?v=older").headers[.cacheControl] == "no-store")
    }

    @Test func `An unavailable image is replaced by an uncacheable placeholder`() async throws {
        let image = try await get("/deliveries/2/picture")

        #expect(image.status == .nonAuthoritativeInformation)
        #expect(image.headers[.cacheControl] == "no-store")
        #expect(image.text.contains("<path"))
    }

    @Test(arguments: ["image/jpg", "binary/octet-stream", nil] as [String?])
    func `The format of an image without a valid media type is detected from its bytes`(mediaType: String?) async throws {
        var headers: HTTPFields = [:]
        headers[.contentType] = mediaType
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        executor.script("http://a.org/2.svg", .response(headers: headers, body: png))

        let image = try await get("/deliveries/2/picture")

        #expect(image.status == .ok)
        #expect(image.headers[.contentType] == "image/png")
    }

    @Test func `A web page with an unknown media type is no image`() async throws {
        executor.script("http://a.org/2.svg", .response(headers: [.contentType: "image/x"], text: "<!doctype html>"))

        #expect(try await get("/deliveries/2/picture").status == .nonAuthoritativeInformation)
    }

    // MARK: Favourites

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

    private let favouriteBody = #"{"favourite":true,"at":"2026-05-15T12:00:00.250Z"}"#

    @Test func `A favourite is stored, shown and returned`() async throws {
        let response = try await put("/deliveries/1/favourite", favouriteBody)

        #expect(response.status == .ok)
        #expect(response.text.contains(#""favourite":true"#))
        #expect(try await store.record(of: "1")?.withLocalChanges.isFavourite == true)
        #expect(try await get("/deliveries/1").text.contains(#"aria-pressed="true""#))
    }

    @Test(
        arguments: [
            (#"{"favourite":true,"at":"2026-05-15T12:00:00Z"}"#, nil), (#"{"favourite":true,"at":"2026-05-15T12:00:00Z"}"#, "\"\""),
            (#"{"favourite":true,"at":"2026-02-30T12:00:00Z"}"#, "k"), (#"{"favourite":true,"at":"2026-05-15T12:00:00Z yesterday"}"#, "k"),
            (#"{"favourite":true,"at":"yesterday"}"#, "k"), (#"{"favourite":true}"#, "k"), ("[]", "k"), ("", "k"),
        ] as [(String, String?)])
    func `A favourite without a key or a time is refused`(body: String, key: String?) async throws {
        #expect(try await put("/deliveries/1/favourite", body, key: key).status == .badRequest)
        #expect(try await store.record(of: "1")?.withLocalChanges.isFavourite == false)
    }

    @Test func `Favourites are accepted from same-origin pages and for stored deliveries only`() async throws {
        #expect(try await put("/deliveries/1/favourite", favouriteBody, from: "cross-site").status == .forbidden)
        #expect(try await put("/deliveries/999/favourite", favouriteBody).status == .notFound)
    }

    @Test func `On a full disk a favourite gets a problem document, or a page for a form`() async throws {
        journal.fail(with: OutboxError.diskFull)
        var headers = browser
        headers[.contentType] = "application/x-www-form-urlencoded"

        let response = try await put("/deliveries/1/favourite", favouriteBody)
        let page = try await server.application.test(.router) { [headers] in
            try await $0.execute(
                uri: "/deliveries/1/favourite", method: .post, headers: headers, body: ByteBuffer(string: "favourite=true"))
        }

        #expect(response.status.code == 507)
        #expect(page.status.code == 507)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.text.contains(#""status":507"#))
        #expect(page.headers[.contentType]?.hasPrefix("text/html") == true)
        #expect(page.text.contains("disk"))
        let record = try await store.record(of: "1")
        #expect(record?.withLocalChanges.isFavourite == false)
    }

    @Test func `A form without scripts sets a favourite and redirects to its page`() async throws {
        let headers: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .referer: "http://localhost/deliveries?plain=1&from=30",
        ]

        let response = try await server.application.test(.router) {
            try await $0.execute(
                uri: "/deliveries/1/favourite", method: .post, headers: headers, body: ByteBuffer(string: "favourite=true"))
        }

        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/deliveries?plain=1&from=30")
        #expect(try await store.record(of: "1")?.withLocalChanges.isFavourite == true)
    }
}
