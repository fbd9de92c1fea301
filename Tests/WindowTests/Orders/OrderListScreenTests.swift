import Foundation
import HTTPTypes
import LadingFeeds
import LadingHTTP
import LadingTesting
import Orders
import Testing
@testable import Window

/// Events of the order list: positions, queries and rows, on a manual task executor.
@Suite struct OrderListScreenTests: ListEventReader {
    private let executor = ManualTaskExecutor()
    private let backend = ScriptedExecutor()
    private let repository: OrderRepository
    private let renderer: PageRenderer

    init() throws {
        repository = OrderRepository(backend: backend, executor: executor)
        renderer = try PageRenderer(resources: WindowServer.resourceFolder(), version: "1")
        list(1...70)
        for id in 1...100 {
            backend.script("http://a.org/\(id).xml", .response(text: Wire.order(title: id % 10 == 0 ? "Pumpkin \(id)" : "Order \(id)")))
        }
    }

    private func list(_ ids: some Sequence<Int>) {
        backend.script("http://a.org/orders.plist", .response(text: Wire.list(ids.map { ("\($0)", "http://a.org/\($0).xml") })))
    }

    private let contexts = OrderContexts(
        texts: Texts(.english), timeZone: .gmt, mapSource: .server(attribution: "", fingerprint: ""), now: { .distantPast })

    private func screen(first: Range<Int> = 0..<5, topRow: OrderID? = nil, query: RequestedQuery = RequestedQuery()) -> OrderListScreen {
        let screen = OrderListScreen(
            repository, contexts, renderer, first: first, topRow: topRow, query: query)
        executor.runAll()
        return screen
    }

    /// Returns the event of the current list.
    private func listEvent(_ screen: OrderListScreen) throws -> [String: Any] {
        let changes = ChangeLog<OrderID>.Changes(id: 1, isScreenChanged: true, rows: [])
        let event = try #require(screen.events(for: changes).first)
        #expect(event.name == "list")
        return try #require(try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any])
    }

    private func report(_ screen: OrderListScreen, seq: Int, _ visible: ClosedRange<Int>) {
        screen.setViewport(
            ViewportReport(
                list: "\(screen.controller.list.revision)", seq: seq, first: visible.lowerBound, last: visible.upperBound,
                rowsPerSecond: 0, landing: nil))
        executor.runAll()
    }

    @Test func `A new page receives the list with all visible rows`() throws {
        let screen = screen()

        let event = try listEvent(screen)

        #expect(event["count"] as? Int == 70)
        #expect(event["title"] as? String == "70 orders")
        #expect(event["at"] as? Int == 1_000_000)
        #expect(rows(event) == ["1", "2", "3", "4", "5"])
    }

    @Test func `An acknowledged list is sent without an anchor and rows`() throws {
        let screen = screen()
        _ = try listEvent(screen)

        report(screen, seq: 1, 0...4)

        let event = try listEvent(screen)
        #expect(event["anchor"] == nil)
        #expect(event["rows"] == nil)
    }

    @Test func `After a refresh the first visible row is the anchor and new rows above it are counted`() throws {
        list(3...70)
        let screen = screen()
        _ = try listEvent(screen)
        report(screen, seq: 1, 8...12)
        list(1...70)

        screen.refresh()
        executor.runAll()

        let event = try listEvent(screen)
        #expect(anchor(event) == "11 at 10")
        #expect(event["fresh"] as? String == "2 new orders")
        #expect(rows(event) == ["11", "12", "13", "14", "15"])

        // Another row arrives before the page acknowledges the list.
        list(0...70)
        screen.refresh()
        executor.runAll()
        #expect(try listEvent(screen)["fresh"] as? String == "3 new orders")
        report(screen, seq: 2, 11...15)
        #expect(try listEvent(screen)["fresh"] == nil)
    }

    @Test func `The nearest remaining row replaces a removed anchor`() throws {
        let screen = screen()
        _ = try listEvent(screen)
        report(screen, seq: 1, 10...14)
        list(Array(1...5) + Array(12...70))

        screen.refresh()
        executor.runAll()

        #expect(anchor(try listEvent(screen)) == "12 at 5")
    }

    @Test func `A search scrolls to the top and shows its result count`() throws {
        let screen = screen()
        _ = try listEvent(screen)
        report(screen, seq: 1, 10...14)

        screen.setQuery(RequestedQuery(search: "pumpkin"))
        executor.runAll()

        let event = try listEvent(screen)
        #expect(event["anchor"] == nil)
        #expect(event["count"] as? Int == 7)
        #expect(event["title"] as? String == "7 orders")
        #expect(event["note"] as? String == "7 of 70 match")
        #expect(rows(event) == ["10", "20", "30", "40", "50"])
    }

    @Test func `A sort scrolls to the top before the first viewport report and after a reconnection`() throws {
        let screen = screen()
        _ = try listEvent(screen)

        screen.setQuery(RequestedQuery(sort: "priceDown"))
        executor.runAll()
        #expect(try listEvent(screen)["anchor"] == nil)

        screen.invalidateAll()
        #expect(try listEvent(screen)["anchor"] == nil)
    }

    @Test func `A page rendered before its list is sorted scrolls to the first row`() throws {
        _ = screen()
        let screen = OrderListScreen(repository, contexts, renderer, first: 0..<5, query: RequestedQuery(sort: "priceDown"))
        screen.didRender(screen.controller.list)

        screen.invalidateAll()
        executor.runAll()

        #expect(anchor(try listEvent(screen)) == "no row at 0")
    }

    @Test func `Another position of the reader does not scroll, although the page sends an empty search for none`() throws {
        let screen = screen(query: RequestedQuery(sort: "nearest"))
        _ = try listEvent(screen)
        report(screen, seq: 1, 10...14)

        screen.setQuery(RequestedQuery(search: "", sort: "nearest", near: [40.5, -74.25]))
        executor.runAll()

        #expect(anchor(try listEvent(screen)) == "no row at 10")
    }

    @Test func `A search without results is reported`() throws {
        let screen = screen()

        screen.setQuery(RequestedQuery(search: "zucchini"))
        executor.runAll()

        #expect(try listEvent(screen)["empty"] as? String == "No order matches “zucchini”.")
    }

    @Test func `A search reports no empty result before it has finished`() throws {
        let screen = screen()
        screen.setQuery(RequestedQuery(search: "zucchini"))
        executor.runAll()

        screen.setQuery(RequestedQuery(search: "pumpkin"))

        let event = try listEvent(screen)
        #expect(event["empty"] == nil)
        #expect(event["title"] as? String == "Orders")
        executor.runAll()
        #expect(try listEvent(screen)["count"] as? Int == 7)
    }

    @Test func `An order that cannot be read for a search is reported with the reason, and read again on request`() throws {
        backend.script("http://a.org/69.xml", .response(status: .notFound, text: ""))
        let screen = screen()

        screen.setQuery(RequestedQuery(search: "pumpkin"))
        executor.runAll()

        let event = try listEvent(screen)
        #expect(event["error"] as? String == "1 order couldn’t be loaded. This is no longer on the server.")
        #expect(event["why"] as? String == "not found (404): /69.xml")
        #expect(event["note"] as? String == "7 found in 69 of 70 loaded")

        backend.script("http://a.org/69.xml", .response(text: Wire.order(title: "Pumpkin 69")))
        screen.loadAllRows(true)
        executor.runAll()
        #expect(try listEvent(screen)["error"] == nil)
        #expect(try listEvent(screen)["count"] as? Int == 8)
    }

    @Test func `A search stopped by an unreachable server is reported`() throws {
        let unreachable = BackendError.unreachable(URL(string: "http://a.org/")!, cause: POSIXError(.ECONNREFUSED))
        for id in 20...70 { backend.script("http://a.org/\(id).xml", .failure(unreachable)) }
        let screen = screen()

        screen.setQuery(RequestedQuery(search: "pumpkin"))
        executor.runAll()

        let event = try listEvent(screen)
        #expect(event["error"] as? String == "Not all orders were loaded. The server can’t be reached.")
        #expect(event["why"] as? String == "cannot reach a.org (Connection refused)")
        #expect((event["reading"] as? [String: Any])?["running"] as? Bool == false)
    }

    @Test func `A failed refresh preserves the list and shows the error until the next success`() throws {
        let screen = screen()
        backend.script("http://a.org/orders.plist", .response(status: .internalServerError, text: ""))

        screen.refresh()
        executor.runAll()
        let failed = try listEvent(screen)
        #expect(failed["error"] as? String == "The server has a problem. Try again later.")
        #expect(failed["why"] as? String == "the server responded with 500: /orders.plist")
        #expect(failed["count"] as? Int == 70)

        list(1...70)
        screen.refresh()
        #expect(try listEvent(screen)["busy"] as? Bool == true)
        #expect(try listEvent(screen)["error"] != nil)
        executor.runAll()
        #expect(try listEvent(screen)["error"] == nil)
    }

    @Test func `Rows and lists that failed are loaded when the server responds again`() throws {
        let screen = screen(first: 60..<65)
        let unreachable = BackendError.unreachable(URL(string: "http://a.org/61.xml")!, cause: POSIXError(.ECONNREFUSED))
        for page in ["orders.plist", "1.xml", "2.xml"] { backend.script("http://a.org/\(page)", .failure(unreachable)) }
        _ = try listEvent(screen)
        report(screen, seq: 1, 0...4)
        screen.refresh()
        executor.runAll()
        #expect(try listEvent(screen)["why"] as? String == "cannot reach a.org (Connection refused)")
        #expect(screen.controller.hasFailed(OrderID(1)) && screen.controller.hasFailed(OrderID(2)))
        list(1...70)
        for id in 1...2 { backend.script("http://a.org/\(id).xml", .response(text: Wire.order(title: "Order \(id)"))) }

        screen.retryFailures { $0.isFailure(of: "a.org") }

        #expect(try listEvent(screen)["error"] == nil)
        executor.runAll()
        #expect(screen.controller.state(of: OrderID(1)).row?.title == "Order 1")
        #expect(!screen.controller.hasFailed(OrderID(2)))
    }

    @Test func `A reopened page is anchored at its former top row`() throws {
        let screen = screen(first: 30..<35, topRow: OrderID(41))

        let event = try listEvent(screen)

        #expect(anchor(event) == "41 at 40")
        #expect(rows(event) == ["41", "42", "43", "44", "45"])
    }

    @Test func `A reloaded row is rendered once and sent to every page that shows it`() async {
        let (one, other) = (screen(), screen())
        let changes = ChangeLog<OrderID>.Changes(id: 1, isScreenChanged: false, rows: [OrderID(1)])
        let events = [one.events(for: changes), other.events(for: changes)].compactMap(\.last)

        #expect(events.map(\.name) == ["rows", "rows"])
        let rows = events.compactMap { $0.data.split(separator: "\"html\":").last }
        #expect(rows[0] == rows[1])
        #expect(rows[0].contains("Order 1"))
    }
}
