import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingHTTP
import LadingOperations
import LadingRecording
import LadingTesting
import NIOCore
import Testing
@testable import Window

/// The order pages as served to a client.
@Suite struct OrderRoutesTests {
    private let executor = ScriptedExecutor()
    private let server: WindowServer
    private let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml"]

    init() async throws {
        server = try await WindowServer(executor: executor)
        let ids = 1...70
        executor.script("http://a.org/orders.plist", .response(text: Wire.list(ids.map { ("\($0)", "http://a.org/\($0).xml") })))
        for id in ids { executor.script("http://a.org/\(id).xml", .response(text: Wire.order(title: "Order \(id)"))) }
        executor.script("http://a.org/items.plist", .response(text: Wire.list([("1", "http://a.org/item-1.xml")])))
        executor.script("http://a.org/item-1.xml", .response(text: Wire.item("Broccoli", imageURL: "http://a.org/1.svg")))
        executor.script("http://a.org/1.svg", .response(headers: [.contentType: "image/svg+xml"], text: "<svg/>"))
    }

    private func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await server.application.test(.router) { try await $0.execute(uri: path, method: .get, headers: headers) }
    }

    // MARK: The list

    @Test func `A plain page contains its rows`() async throws {
        let page = try await get("/orders")

        #expect(page.status == .ok)
        #expect(page.text.matches(of: /data-state="loaded"/).count == 30)
        #expect(page.text.contains("12.50"))
        #expect(page.text.contains("href=\"/orders?plain=1&amp;from=30\"") || page.text.contains("from=30"))
        #expect(!page.text.contains("<script"))
    }

    @Test func `The last page contains the remaining rows and links back`() async throws {
        let page = try await get("/orders?plain=1&from=60")

        #expect(page.text.matches(of: /data-index=/).count == 10)
        #expect(page.text.contains("61–70 of 70"))
    }

    @Test func `A browser gets the list before any row is loaded`() async throws {
        for id in 1...70 { executor.script("http://a.org/\(id).xml", .response(), behind: Gate()) }

        let page = try await get("/orders", browser)

        #expect(page.text.contains("70 orders"))
        #expect(page.text.matches(of: /data-index=/).count == 30)
        #expect(page.text.matches(of: /data-state="loaded"/).isEmpty)
        #expect(page.text.contains("/orders?plain=1"))
    }

    @Test(arguments: ["-5", "999999", "9223372036854775807", "x"]) func `An index outside the list is no error`(from: String) async throws {
        let page = try await get("/orders?from=\(from)")

        #expect(page.status == .ok)
        #expect(page.text.contains("<article"))
    }

    @Test func `An unreachable server is reported in the list`() async throws {
        struct SampleCause: Error {}
        let url = URL(string: "http://a.org/orders.plist")!
        executor.script(url.absoluteString, .failure(BackendError.unreachable(url, cause: SampleCause())))

        let page = try await get("/orders")

        #expect(page.status == .ok)
        #expect(page.text.contains("cannot reach a.org"))
    }

    @Test func `A plain page counts the orders that could not be read for its search`() async throws {
        executor.script("http://a.org/70.xml", .response(status: .notFound))

        let page = try await get("/orders?plain=1&search=order")

        #expect(page.text.contains("69 found in 69 of 70 loaded"))
        #expect(page.text.contains("1 order couldn’t be loaded."))
    }

    @Test func `Text from a server is escaped`() async throws {
        executor.script("http://a.org/1.xml", .response(text: Wire.order(title: "&lt;img src=x onerror=alert(1)&gt;\"'&amp;")))

        let page = try await get("/orders")

        #expect(!page.text.contains("<img src=x"))
        #expect(page.text.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"))
    }

    @Test func `A failed row shows the reason and a retry button`() async throws {
        executor.script("http://a.org/2.xml", .response(status: .internalServerError))

        let page = try await get("/orders")

        #expect(page.text.matches(of: /data-state="failed"/).count == 1)
        #expect(page.text.contains("the server responded with 500"))
        #expect(page.text.contains("Retry"))
    }

    // MARK: One order

    @Test func `The page of an order lists its items, with a placeholder for an unknown one`() async throws {
        executor.script("http://a.org/1.xml", .response(text: Wire.order(title: "Soup", items: [1, 77])))

        let page = try await get("/orders/1")

        #expect(page.text.contains("Soup"))
        #expect(page.text.contains("Broccoli"))
        #expect(page.text.contains("/orders/items/1/picture"))
        #expect(page.text.contains("Unknown item"))
        #expect(page.text.contains("geo:51.5,-0.12"))
    }

    @Test func `An order in the demo city has its map, with the city's name`() async throws {
        let place =
            "<address>31-07 Alder Street, Lading Harbor</address><radius>1</radius><radiusUnit>km</radiusUnit><latitude>40.764</latitude>"
        let order = Wire.order(title: "Soup").replacing(/<address>.*<\/latitude>/, with: place).replacing("-0.12", with: "-73.923")
        executor.script("http://a.org/1.xml", .response(text: order))

        let page = try await get("/orders/1")

        #expect(page.text.contains("/tiles/") && page.text.contains("Lading Harbor, a fictional city"))
        #expect(!page.text.contains("There is no map of this place."))
    }

    @Test func `An order outside the demo city shows its coordinates and two map links instead of a map`() async throws {
        let page = try await get("/orders/1")

        #expect(!page.text.contains("/tiles/") && !page.text.contains("Lading Harbor"))
        #expect(page.text.contains("There is no map of this place.") && page.text.contains("51.5, -0.12"))
        #expect(page.text.contains("href=\"geo:51.5,-0.12?q=51.5,-0.12\""))
        #expect(page.text.contains("href=\"https://www.openstreetmap.org/?mlat=51.5&amp;mlon=-0.12#map=17/51.5/-0.12\""))
    }

    @Test(arguments: [("51.5", "north"), ("51.5", ""), ("-0.12", "181")])
    func `An order without a readable location has a message instead of a map and preserves its other fields`(
        degrees: String, flaw: String
    ) async throws {
        executor.script("http://a.org/1.xml", .response(text: Wire.order(title: "Soup").replacing(">\(degrees)<", with: ">\(flaw)<")))

        let page = try await get("/orders/1")

        #expect(
            page.text.contains("<div class=\"map map-placeholder\">") && page.text.contains("<p>This order has no readable location.</p>"))
        #expect(!page.text.contains("There is no map of this place.") && !page.text.contains("geo:"))
        for text in ["Soup", "1 Main Street", "12.50", "Within 1 km", "Broccoli"] { #expect(page.text.contains(text)) }
    }

    @Test func `Unreadable prices and radii are reported`() async throws {
        let order = Wire.order(title: "Soup").replacing(">12.5<", with: ">cheap<").replacing("<radius>1<", with: "<radius>wide<")
        executor.script("http://a.org/1.xml", .response(text: order))

        let (list, page) = (try await get("/orders"), try await get("/orders/1"))

        #expect(list.text.contains("No readable price") && page.text.contains("No readable price"))
        #expect(page.text.contains("<dd>No readable radius</dd>") && !page.text.contains("Within"))
        #expect(page.text.contains("1 Main Street") && page.text.contains("Broccoli"))
    }

    @Test func `Missing items are reported as unreadable, not as none`() async throws {
        let order = Wire.order(title: "Soup").replacing(/<itemCount>.*<\/itemCount>/, with: "").replacing(/<items>.*<\/items>/, with: "")
        executor.script("http://a.org/1.xml", .response(text: order))

        let (list, page) = (try await get("/orders"), try await get("/orders/1"))

        #expect(list.text.contains("<p class=\"count\">No readable items</p>") && !list.text.contains("No items"))
        #expect(page.text.contains("<h2>No readable items</h2>") && page.text.contains("1 Main Street"))
    }

    @Test func `An order with an item count and no items shows the count and reports unreadable items`() async throws {
        let order = Wire.order(title: "Soup").replacing("<itemCount>1<", with: "<itemCount>7<").replacing(/<items>.*<\/items>/, with: "")
        executor.script("http://a.org/1.xml", .response(text: order))

        let (list, page) = (try await get("/orders"), try await get("/orders/1"))

        #expect(list.text.contains("<p class=\"count\">7 items</p>"))
        #expect(page.text.contains("<h2>7 items</h2>") && page.text.contains("<p>No readable items</p>"))
    }

    @Test func `Orders without an address are ignored when shared address parts are counted`() async throws {
        let town = Wire.order(title: "Soup").replacing("1 Main Street", with: "1 Main Street, Lading Harbor, NY 11101")
        for id in 1...70 { executor.script("http://a.org/\(id).xml", .response(text: town)) }
        executor.script("http://a.org/2.xml", .response(text: town.replacing(/<address>.*<\/address>/, with: "")))

        let page = try await get("/orders")

        #expect(page.text.contains("data-shared=\"2\""))
        #expect(page.text.matches(of: /<p class="address" dir="auto" data-none>No address given</).count == 1)
    }

    @Test func `An order that could not be reloaded is shown stale, with the reason and a retry button`() async throws {
        _ = try await get("/orders/1")
        executor.script("http://a.org/1.xml", .response(status: .internalServerError))

        let page = try await get("/orders/1")

        #expect(page.text.contains("<h1 dir=\"auto\">Order 1</h1>"))
        #expect(page.text.contains("Couldn’t refresh: The server has a problem. Try again later."))
        #expect(page.text.contains("the server responded with 500: /1.xml"))
        #expect(page.text.contains("<form class=\"retry\" action=\"/orders/1\" data-post=\"retry\" data-row=\"1\">"))
    }

    @Test func `An unknown order is not found`() async throws {
        let page = try await get("/orders/4711", browser)

        #expect(page.status == .notFound)
        #expect(page.text.contains("no longer in the list"))
    }

    @Test func `An item's image is proxied, and other content is refused`() async throws {
        let image = try await get("/orders/items/1/picture")
        #expect(image.headers[.contentType] == "image/svg+xml")
        #expect(image.headers[.contentSecurityPolicy]?.contains("sandbox") == true)

        let other = try await OrderRoutesTests()
        other.executor.script("http://a.org/1.svg", .response(headers: [.contentType: "text/html"], text: "<script>"))
        #expect(try await other.get("/orders/items/1/picture").status == .badGateway)
    }

    @Test func `A full disk of the recording is reported with 507 and its reason`() async throws {
        let directory = URL(filePath: "/recording", directoryHint: .isDirectory)
        for (cause, status) in [(POSIXErrorCode.ENOSPC, 507), (POSIXErrorCode.EACCES, 502)] {
            let other = try await OrderRoutesTests()
            other.executor.script("http://a.org/1.svg", .failure(RecordingError.writeFailed(directory, cause: POSIXError(cause))))

            let page = try await other.get("/orders/items/1/picture", browser)
            let response = try await other.get("/orders/items/1/picture")

            #expect(page.status.code == status && response.status.code == status)
            #expect(page.text.contains("cannot write the recording /recording"))
            #expect((response.headers[.contentType] == "application/problem+json") == (status == 507))
        }
    }

    @Test func `An item without an image shows its name and a placeholder and sends no request`() async throws {
        executor.script("http://a.org/item-1.xml", .response(text: Wire.item("Broccoli", imageURL: "")))

        let page = try await get("/orders/1")
        let image = try await get("/orders/items/1/picture")

        #expect(page.text.contains("Broccoli"))
        #expect(!page.text.contains("Unknown item"))
        #expect(page.text.contains("icon-placeholder"))
        #expect(!page.text.contains("/orders/items/1/picture"))
        #expect(image.status == .notFound)
        #expect(
            Set(executor.requestedURLs) == [
                "http://a.org/orders.plist", "http://a.org/1.xml", "http://a.org/items.plist", "http://a.org/item-1.xml",
            ])
    }

    @Test func `Images are preloaded, except for items without one`() async throws {
        let items = Wire.list([("1", "http://a.org/item-1.xml"), ("2", "http://a.org/item-2.xml")])
        executor.script("http://a.org/items.plist", .response(text: items))
        executor.script("http://a.org/item-2.xml", .response(text: Wire.item("Bread", imageURL: "")))
        let repository = OrderRepository(
            ordersURL: URL(string: "http://a.org/orders.plist")!, itemsURL: URL(string: "http://a.org/items.plist")!,
            client: BackendClient(executor: executor), queue: BackendQueue())

        await repository.prefetch()

        #expect(
            Set(executor.requestedURLs) == [
                "http://a.org/items.plist", "http://a.org/item-1.xml", "http://a.org/item-2.xml", "http://a.org/1.svg",
            ])
    }

    // MARK: All pages

    @Test(arguments: ["/", "/orders", "/orders/1", "/nowhere", "/orders/x", "/assets/0/app.js", "/tiles/99/0/0"])
    func `Every response carries the strict content security policy`(path: String) async throws {
        let policy = try #require(try await get(path, browser).headers[.contentSecurityPolicy])

        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("script-src 'self';"))
        #expect(!policy.contains("unsafe"))
    }

    @Test func `Pages have no inline script and no inline style`() async throws {
        for path in ["/", "/orders", "/orders/1"] {
            let text = try await get(path, browser).text
            #expect(text.matches(of: /<script(?![^>]*src=)/).isEmpty)
            #expect(text.matches(of: /<style|\sstyle=|\son[a-z]+="/).isEmpty)
        }
    }

    @Test func `The main element of a list contains its rows and has no role`() async throws {
        let page = try await get("/orders", browser).text

        #expect(page.contains(/<main class="list-area">\s*<div class="list" id="list" role="feed"/))
        #expect(page.matches(of: /<main[ >]/).count == 1)
    }

    @Test(arguments: ["/", "/orders", "/orders/1"]) func `Every asset of a page exists`(path: String) async throws {
        let page = try await get(path, browser).text
        let assets = Set(page.matches(of: /"(\/assets\/[^"]+)"/).map { String($0.1) })
        #expect(assets.count >= 2)

        for asset in assets {
            let status = try await get(asset).status
            #expect(status == .ok, "\(asset)")
        }
    }

    @Test func `Assets are immutable under their version and not found under another`() async throws {
        let page = try await get("/", browser).text
        let path = try #require(page.firstMatch(of: /\/assets\/[0-9a-f]+\/app\.css/)).output

        let asset = try await get(String(path))

        #expect(asset.status == .ok)
        #expect(asset.headers[.cacheControl]?.contains("immutable") == true)
        #expect(try await get("/assets/000000000000/app.css").status == .notFound)
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }
}
