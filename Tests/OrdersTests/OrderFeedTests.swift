import Foundation
import HTTPTypes
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting
import Orders
import Testing

/// List, download, parse and join as operations, on a manual task executor and a scripted executor.
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
        feed = OrderFeed(ordersURL: URL(string: "http://a.org/orders.plist")!, catalog: catalog, client: client)
        executor.script("http://a.org/orders.plist", .reply(body: Documents.list(["1": "http://a.org/1.xml", "2": "nowhere"])))
        executor.script("http://a.org/items.plist", .reply(body: Documents.list(["1": "http://a.org/i1.xml", "2": "http://a.org/i2.xml"])))
        executor.script("http://a.org/1.xml", .reply(body: Documents.order(items: [1, 2, 99])))
        executor.script("http://a.org/i1.xml", .reply(body: Documents.item("Broccoli")))
        executor.script("http://a.org/i2.xml", .reply(status: .internalServerError), .reply(body: Documents.item("Onion")))
    }

    private func result<Value>(of operation: BackendOperation<Value>) throws -> Value {
        queue.submit(operation, priority: .visible)
        tasks.runAll()
        return try #require(operation.result).get()
    }

    private let first = OrderReference(id: 1, address: "http://a.org/1.xml")

    @Test func `The list names every order, even one that has no address`() throws {
        #expect(try result(of: feed.list()).map(\.id) == [1, 2])
    }

    @Test func `An order without an address fails on its own row`() {
        #expect(throws: OrderDocumentError.noAddress("nowhere")) {
            try result(of: feed.load(OrderReference(id: 2, address: "nowhere")))
        }
    }

    @Test func `A row is loaded without waiting for any item`() throws {
        executor.script("http://a.org/items.plist", .reply(), behind: Gate())
        queue.submit(catalog.all(), priority: .background)

        let order = try result(of: feed.load(first))

        #expect(order.items.map(\.id) == [1, 2, 99])
    }

    @Test func `Details name the items; what cannot be found leaves its line standing`() throws {
        let order = try result(of: feed.details(first))

        #expect(order.items.map(\.id) == [1, 2, 99])
        #expect(order.items.map { $0.item?.name } == ["Broccoli", nil, nil])
        #expect(queue.isIdle)
    }

    @Test func `An item that failed is asked for once, and again only after failures are forgotten`() throws {
        _ = try result(of: feed.details(first))
        _ = try result(of: feed.details(first))
        #expect(executor.requestedURLs.count { $0 == "http://a.org/i2.xml" } == 1)

        catalog.forgetFailures()
        let order = try result(of: feed.details(first))

        #expect(order.items.map { $0.item?.name } == ["Broccoli", "Onion", nil])
        #expect(executor.requestedURLs.count { $0 == "http://a.org/items.plist" } == 1)
    }

    @Test func `The catalogue is preloaded, each item once`() throws {
        let items = try result(of: catalog.all())

        #expect(items.map(\.name) == ["Broccoli"])
        #expect(catalog.known(1)?.name == "Broccoli")
        _ = try result(of: feed.details(first))
        #expect(executor.requestedURLs.count { $0 == "http://a.org/i1.xml" } == 1)
    }

    @Test func `Without a catalogue orders are still shown`() throws {
        executor.script("http://a.org/items.plist", .reply(status: .notFound))

        let order = try result(of: feed.details(first))

        #expect(order.title == "Need groceries")
        #expect(order.items.allSatisfy { $0.item == nil })
    }

    @Test func `Cancelling the details lets go of everything they wait for`() {
        let gate = Gate()
        executor.script("http://a.org/1.xml", .reply(body: Documents.order()), behind: gate)
        let details = feed.details(first)
        queue.submit(details, priority: .visible)
        tasks.runAll()

        details.cancel()
        tasks.runAll()

        #expect(executor.cancelled.map(\.absoluteString) == ["http://a.org/1.xml"])
        #expect(queue.isIdle)
    }

    @Test func `What is wrong with a document is told with its name`() throws {
        executor.script("http://a.org/1.xml", .reply(text: "<order><title>"))

        let error = #expect(throws: (any Error).self) { try result(of: feed.load(first)) }

        #expect("\(try #require(error))".contains("1.xml"))
    }
}
