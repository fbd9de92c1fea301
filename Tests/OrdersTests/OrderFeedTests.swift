import Foundation
import HTTPTypes
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing

@testable import Orders

/// List, download, parsing and joining as operations, on a manual task executor and a scripted executor.
@Suite struct OrderFeedTests {
    private let tasks = ManualTaskExecutor()
    private let executor = ScriptedExecutor()
    private let queue: BackendQueue
    private let catalog: ItemCatalog
    private let feed: OrderFeed

    init() {
        let client = BackendClient(executor: executor)
        queue = BackendQueue(executor: tasks)
        catalog = ItemCatalog(itemsURL: URL(string: "http://a.org/items.plist")!, client: client)
        feed = OrderFeed(
            ordersURL: URL(string: "http://a.org/orders.plist")!, catalog: catalog, client: client, timeZone: .gmt,
            now: { Date(timeIntervalSince1970: 1_767_225_600) })
        executor.script("http://a.org/orders.plist", .response(body: Documents.list(["1": "http://a.org/1.xml", "2": "nowhere"])))
        executor.script(
            "http://a.org/items.plist", .response(body: Documents.list(["1": "http://a.org/i1.xml", "2": "http://a.org/i2.xml"])))
        executor.script("http://a.org/1.xml", .response(body: Documents.order(items: [1, 2, 99])))
        executor.script("http://a.org/i1.xml", .response(body: Documents.item("Broccoli")))
        executor.script("http://a.org/i2.xml", .response(status: .internalServerError), .response(body: Documents.item("Onion")))
    }

    private func result<Value>(of operation: BackendOperation<Value>) throws -> Value {
        queue.submit(operation, priority: .visible)
        tasks.runAll()
        return try #require(operation.result).get()
    }

    private let first = OrderReference(id: 1, address: "http://a.org/1.xml")

    @Test func `The list contains every order, even one without a valid URL`() throws {
        #expect(try result(of: feed.list()).map(\.id) == [1, 2])
    }

    @Test func `An order without a valid URL fails in its own row`() {
        #expect(throws: OrderDocumentError.relativeAddress("nowhere")) {
            try result(of: feed.load(OrderReference(id: 2, address: "nowhere")))
        }
    }

    @Test func `An invalid entry fails in its own row and sends no request`() throws {
        let list = Documents.list(["1": "http://a.org/1.xml", "first": "http://a.org/2.xml", "3": "ftp://a.org/3.xml"])
        executor.script("http://a.org/orders.plist", .response(body: list))
        let references = try result(of: feed.list())

        #expect(references.map(\.id) == [1, 3, OrderID("first")])
        #expect(throws: OrderDocumentError.unsupportedScheme("ftp")) { try result(of: feed.load(references[1])) }
        #expect(throws: OrderDocumentError.nonNumericKey("first")) { try result(of: feed.load(references[2])) }
        #expect(executor.requestedURLs == ["http://a.org/orders.plist"])
    }

    @Test(arguments: [("Thu, 01 Jan 2015 00:00:00 GMT", 2_015), ("in the morning", 2_026), (nil, 2_026)] as [(String?, Int)])
    func `The year of a delivery follows the Date field of the response, else the clock`(date: String?, year: Int) throws {
        var headers: HTTPFields = [:]
        headers[.date] = date
        executor.script("http://a.org/1.xml", .response(headers: headers, body: Documents.order(deliveryDate: "January 15th 16:00")))

        let order = try result(of: feed.load(first))

        #expect(order.deliveryTime == Date(timeIntervalSince1970: year == 2_015 ? 1_421_337_600 : 1_768_492_800))
    }

    @Test(arguments: ["text/xml; charset=ISO-8859-1", "application/xml;Charset=\"iso-8859-1\"", "text/xml; version=1; charset='latin1'"])
    func `The list, an order and an item are read in the charset of Content-Type`(contentType: String) throws {
        let headers: HTTPFields = [.contentType: contentType]
        let list = String(decoding: Documents.list(["1": "http://a.org/Ä.xml"]), as: UTF8.self).replacing(/<\?xml.*\?>/, with: "")
        let items = String(decoding: Documents.list(["1": "http://a.org/i1.xml"]), as: UTF8.self)
        let documents = [
            "http://a.org/orders.plist": list, "http://a.org/%C3%84.xml": Documents.orderText(title: "Früchte", items: [1]),
            "http://a.org/items.plist": items, "http://a.org/i1.xml": "<item><name>Äpfel</name></item>",
        ]
        for (url, text) in documents {
            executor.script(url, .response(headers: headers, body: Array(try #require(text.data(using: .isoLatin1)))))
        }

        let references = try result(of: feed.list())
        let order = try result(of: feed.details(try #require(references.first)))

        #expect(order.title == "Früchte")
        #expect(order.items.map { $0.item?.name } == ["Äpfel"])
    }

    @Test(arguments: [
        ("1.xml", "http://a.org/1.xml"), ("orders/1.xml", "http://a.org/orders/1.xml"), ("//b.org/1.xml", "http://b.org/1.xml"),
    ])
    func `A relative address in the list is resolved against the list`(address: String, url: String) throws {
        executor.script("http://a.org/orders.plist", .response(body: Documents.list(["1": address])))
        executor.script(url, .response(body: Documents.order(title: "Soup")))

        let reference = try #require(try result(of: feed.list()).first)

        #expect(try reference.url().absoluteString == url)
        #expect(try result(of: feed.load(reference)).title == "Soup")
    }

    @Test func `After a redirect a relative URL is resolved against the final URL`() throws {
        executor.script("http://a.org/orders.plist", .response(status: .found, headers: [.location: "http://b.org/lists/orders.plist"]))
        executor.script("http://b.org/lists/orders.plist", .response(body: Documents.list(["1": "1.xml"])))
        executor.script("http://b.org/lists/1.xml", .response(body: Documents.order(title: "Soup")))

        let reference = try #require(try result(of: feed.list()).first)

        #expect(try result(of: feed.load(reference)).title == "Soup")
        #expect(executor.requestedURLs.last == "http://b.org/lists/1.xml")
    }

    @Test func `An item line without a numeric id has a placeholder, and the others have their items`() throws {
        let text = Documents.orderText(items: [7, 1]).replacing("<id> 7 </id>", with: "<id>seven</id>")
        executor.script("http://a.org/1.xml", .response(text: text))

        let order = try result(of: feed.details(first))

        #expect(order.items.map { $0.item?.name } == [nil, "Broccoli"])
    }

    @Test func `A row is loaded without waiting for any item`() throws {
        executor.script("http://a.org/items.plist", .response(), behind: Gate())
        queue.submit(catalog.all(), priority: .background)

        let order = try result(of: feed.load(first))

        #expect(order.items.map(\.id) == [1, 2, 99])
    }

    @Test func `Details contain the items, and lines of missing items are preserved`() throws {
        let order = try result(of: feed.details(first))

        #expect(order.items.map(\.id) == [1, 2, 99])
        #expect(order.items.map { $0.item?.name } == ["Broccoli", nil, nil])
        #expect(queue.isIdle)
    }

    @Test func `An item may have no image URL or a relative one`() throws {
        executor.script("http://a.org/i1.xml", .response(text: "<item><name>Bread</name><imageUrl></imageUrl></item>"))
        executor.script("http://a.org/i2.xml", .response(text: "<item><name>Onion</name><imageUrl>onion.png</imageUrl></item>"))

        let order = try result(of: feed.details(first))

        #expect(order.items.map { $0.item?.name } == ["Bread", "Onion", nil])
        #expect(order.items.map { $0.item?.imageURL?.absoluteString } == [nil, "http://a.org/onion.png", nil])
    }

    @Test func `A failed item is requested again only after failures are cleared`() throws {
        _ = try result(of: feed.details(first))
        _ = try result(of: feed.details(first))
        #expect(executor.requestedURLs.count { $0 == "http://a.org/i2.xml" } == 1)

        catalog.clearFailures()
        let order = try result(of: feed.details(first))

        #expect(order.items.map { $0.item?.name } == ["Broccoli", "Onion", nil])
        #expect(executor.requestedURLs.count { $0 == "http://a.org/items.plist" } == 1)
    }

    @Test func `The catalog is preloaded with each item once`() throws {
        let items = try result(of: catalog.all())

        #expect(items.map(\.name) == ["Broccoli"])
        #expect(catalog.cachedItem(1)?.name == "Broccoli")
        _ = try result(of: feed.details(first))
        #expect(executor.requestedURLs.count { $0 == "http://a.org/i1.xml" } == 1)
    }

    @Test func `Items loaded before the stored ones are restored are stored with them`() async throws {
        let archive = RecordArchive(
            store: MemoryRecordStore<ArchivedValue>(), byteLimit: 1 << 20, clock: ManualClock(), offload: { $1() })
        archive.put(named: "items") { [Item(id: 7, name: "Leek", imageURL: nil)] }
        let catalog = ItemCatalog(
            itemsURL: URL(string: "http://a.org/items.plist")!, client: BackendClient(executor: executor), archive: archive)
        _ = try result(of: catalog.item(1))

        await catalog.restore()

        let items = await archive.value(named: "items", as: [Item].self)?.value
        #expect(items?.map(\.name) == ["Broccoli", "Leek"])
    }

    @Test func `Cached items are joined at once and the others when they are loaded`() throws {
        executor.script("http://a.org/i2.xml", .response(body: Documents.item("Onion")))
        _ = try result(of: catalog.item(1))
        executor.script("http://a.org/1.xml", .response(body: Documents.order(items: [2, 1, 99, 2])))

        let mixed = try result(of: feed.details(first))
        let requests = executor.requests.count
        executor.script("http://a.org/1.xml", .response(body: Documents.order(items: [1, 2])))
        let known = try result(of: feed.details(first))

        #expect(mixed.items.map { $0.item?.name } == ["Onion", "Broccoli", nil, "Onion"])
        #expect(known.items.map { $0.item?.name } == ["Broccoli", "Onion"])
        #expect(executor.requestedURLs.dropFirst(requests) == ["http://a.org/1.xml"])
    }

    @Test func `Orders are shown without a catalog`() throws {
        executor.script("http://a.org/items.plist", .response(status: .notFound))

        let order = try result(of: feed.details(first))

        #expect(order.title == "Need groceries")
        #expect(order.items.allSatisfy { $0.item == nil })
    }

    @Test func `Cancelling the details cancels their dependencies`() {
        let gate = Gate()
        executor.script("http://a.org/1.xml", .response(body: Documents.order()), behind: gate)
        let details = feed.details(first)
        queue.submit(details, priority: .visible)
        tasks.runAll()

        details.cancel()
        tasks.runAll()

        #expect(executor.cancelled.map(\.absoluteString) == ["http://a.org/1.xml"])
        #expect(queue.isIdle)
    }

    @Test func `The error of a document names the document`() throws {
        executor.script("http://a.org/1.xml", .response(text: "<order><title>"))

        let error = #expect(throws: (any Error).self) { try result(of: feed.load(first)) }

        #expect("\(try #require(error))".contains("1.xml"))
    }
}
