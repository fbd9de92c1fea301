import Foundation
import HTTPTypes
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting
import Orders
import Testing

@testable import Window

/// What the page of a list is told: decisions about places, orders and rows, on a manual task executor.
@Suite struct OrderListScreenTests {
    private let executor = ManualTaskExecutor()
    private let backend = ScriptedExecutor()
    private let board: OrderBoard
    private let renderer: PageRenderer

    init() throws {
        board = OrderBoard(scripted: backend, on: executor)
        renderer = try PageRenderer(templates: WindowServer.resourceFolder().appending(path: "Templates"), version: "1")
        list(1...70)
        for id in 1...100 {
            backend.script("http://a.org/\(id).xml", .reply(text: Wire.order(title: id % 10 == 0 ? "Pumpkin \(id)" : "Order \(id)")))
        }
    }

    private func list(_ ids: some Sequence<Int>) {
        backend.script("http://a.org/orders.plist", .reply(text: Wire.list(ids.map { ("\($0)", "http://a.org/\($0).xml") })))
    }

    private let contexts = OrderContexts(
        texts: Texts(.english), timeZone: .gmt, legend: .server(attribution: "", fingerprint: ""), now: { .distantPast })

    private func screen(first: Range<Int> = 0..<5, topRow: OrderID? = nil, wish: ArrangementWish = ArrangementWish()) -> OrderListScreen {
        let screen = OrderListScreen(
            board, contexts, renderer, first: first, topRow: topRow, wish: wish)
        executor.runAll()
        return screen
    }

    /// The event of the list as the page would get it now.
    private func listEvent(_ screen: OrderListScreen) throws -> [String: Any] {
        let changes = ChangeLog<OrderID>.Changes(id: 1, isScreenChanged: true, rows: [])
        let event = try #require(screen.events(for: changes).first)
        #expect(event.name == "list")
        return try #require(try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any])
    }

    private func rows(_ event: [String: Any]) -> [String] {
        (event["rows"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }

    private func anchor(_ event: [String: Any]) -> String? {
        guard let anchor = event["anchor"] as? [String: Any], let index = anchor["index"] as? Int else { return nil }
        return "\(anchor["row"] as? String ?? "no row") at \(index)"
    }

    private func report(_ screen: OrderListScreen, seq: Int, _ visible: ClosedRange<Int>) {
        screen.show(
            ViewportReport(
                list: "\(screen.controller.list.number)", seq: seq, first: visible.lowerBound, last: visible.upperBound,
                rowsPerSecond: 0, landing: nil))
        executor.runAll()
    }

    @Test func `A page that opens gets the list with all rows in view`() throws {
        let screen = screen()

        let event = try listEvent(screen)

        #expect(event["count"] as? Int == 70)
        #expect(event["title"] as? String == "70 orders")
        #expect(event["at"] as? Int == 1_000_000)
        #expect(rows(event) == ["1", "2", "3", "4", "5"])
    }

    @Test func `A page that has shown that it knows a list is not told its place in it again`() throws {
        let screen = screen()
        _ = try listEvent(screen)

        report(screen, seq: 1, 0...4)

        let event = try listEvent(screen)
        #expect(event["anchor"] == nil)
        #expect(event["rows"] == nil)
    }

    @Test func `After a refresh the first row in view stays, and new rows above it are told`() throws {
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

        // Before the page has shown that it has seen them, another one comes.
        list(0...70)
        screen.refresh()
        executor.runAll()
        #expect(try listEvent(screen)["fresh"] as? String == "3 new orders")
        report(screen, seq: 2, 11...15)
        #expect(try listEvent(screen)["fresh"] == nil)
    }

    @Test func `A row that is gone is no anchor, its nearest neighbour is`() throws {
        let screen = screen()
        _ = try listEvent(screen)
        report(screen, seq: 1, 10...14)
        list(Array(1...5) + Array(12...70))

        screen.refresh()
        executor.runAll()

        #expect(anchor(try listEvent(screen)) == "12 at 5")
    }

    @Test func `A search goes to the top and says what it found`() throws {
        let screen = screen()
        _ = try listEvent(screen)
        report(screen, seq: 1, 10...14)

        screen.arrange(ArrangementWish(search: "pumpkin"))
        executor.runAll()

        let event = try listEvent(screen)
        #expect(event["anchor"] == nil)
        #expect(event["count"] as? Int == 7)
        #expect(event["title"] as? String == "7 orders")
        #expect(event["note"] as? String == "7 of 70 match")
        #expect(rows(event) == ["10", "20", "30", "40", "50"])
    }

    @Test func `A sort goes to the top even before the page has reported anything, and stays there if the stream breaks`() throws {
        let screen = screen()
        _ = try listEvent(screen)

        screen.arrange(ArrangementWish(sort: "priceDown"))
        executor.runAll()
        #expect(try listEvent(screen)["anchor"] == nil)

        screen.noteAll()
        #expect(try listEvent(screen)["anchor"] == nil)
    }

    @Test func `A page that was made before its list was sorted goes to what is first in it`() throws {
        _ = screen()
        let screen = OrderListScreen(board, contexts, renderer, first: 0..<5, wish: ArrangementWish(sort: "priceDown"))
        screen.listRendered(screen.controller.list)

        screen.noteAll()
        executor.runAll()

        #expect(anchor(try listEvent(screen)) == "no row at 0")
    }

    @Test func `A search without a match says so`() throws {
        let screen = screen()

        screen.arrange(ArrangementWish(search: "zucchini"))
        executor.runAll()

        #expect(try listEvent(screen)["empty"] as? String == "No order matches “zucchini”.")
    }

    @Test func `A search does not say that nothing matches before it is made`() throws {
        let screen = screen()
        screen.arrange(ArrangementWish(search: "zucchini"))
        executor.runAll()

        screen.arrange(ArrangementWish(search: "pumpkin"))

        let event = try listEvent(screen)
        #expect(event["empty"] == nil)
        #expect(event["title"] as? String == "Orders")
        executor.runAll()
        #expect(try listEvent(screen)["count"] as? Int == 7)
    }

    @Test func `An order that cannot be read for a search is reported with the reason, and read again on request`() throws {
        backend.script("http://a.org/69.xml", .reply(status: .notFound, text: ""))
        let screen = screen()

        screen.arrange(ArrangementWish(search: "pumpkin"))
        executor.runAll()

        let event = try listEvent(screen)
        #expect(event["error"] as? String == "1 order could not be read. The server doesn’t have this any more.")
        #expect(event["why"] as? String == "not found (404): /69.xml")
        #expect(event["note"] as? String == "7 found in 69 of 70 read")

        backend.script("http://a.org/69.xml", .reply(text: Wire.order(title: "Pumpkin 69")))
        screen.read(all: true)
        executor.runAll()
        #expect(try listEvent(screen)["error"] == nil)
        #expect(try listEvent(screen)["count"] as? Int == 8)
    }

    @Test func `A search that ends because the server is away says so`() throws {
        let noAnswer = BackendError.unreachable(URL(string: "http://a.org/")!, cause: CocoaError(.fileNoSuchFile))
        for id in 20...70 { backend.script("http://a.org/\(id).xml", .failure(noAnswer)) }
        let screen = screen()

        screen.arrange(ArrangementWish(search: "pumpkin"))
        executor.runAll()

        let event = try listEvent(screen)
        #expect(event["error"] as? String == "Not all orders were read. The server can’t be reached.")
        #expect(event["why"] as? String == "cannot reach a.org")
        #expect((event["reading"] as? [String: Any])?["running"] as? Bool == false)
    }

    @Test func `A refresh that fails keeps the list, and says why until the next success`() throws {
        let screen = screen()
        backend.script("http://a.org/orders.plist", .reply(status: .internalServerError, text: ""))

        screen.refresh()
        executor.runAll()
        let failed = try listEvent(screen)
        #expect(failed["error"] as? String == "The server has a problem. Try again later.")
        #expect(failed["why"] as? String == "the server answered 500: /orders.plist")
        #expect(failed["count"] as? Int == 70)

        list(1...70)
        screen.refresh()
        #expect(try listEvent(screen)["busy"] as? Bool == true)
        #expect(try listEvent(screen)["error"] != nil)
        executor.runAll()
        #expect(try listEvent(screen)["error"] == nil)
    }

    @Test func `What failed for want of an answer is loaded when the server answers again`() throws {
        let screen = screen(first: 60..<65)
        let noAnswer = BackendError.unreachable(URL(string: "http://a.org/61.xml")!, cause: CocoaError(.fileNoSuchFile))
        for page in ["orders.plist", "1.xml", "2.xml"] { backend.script("http://a.org/\(page)", .failure(noAnswer)) }
        _ = try listEvent(screen)
        report(screen, seq: 1, 0...4)
        screen.refresh()
        executor.runAll()
        #expect(try listEvent(screen)["why"] as? String == "cannot reach a.org")
        #expect(screen.controller.hasFailed(OrderID(1)) && screen.controller.hasFailed(OrderID(2)))
        list(1...70)
        for id in 1...2 { backend.script("http://a.org/\(id).xml", .reply(text: Wire.order(title: "Order \(id)"))) }

        screen.retryFailures { $0.isFailure(of: "a.org") }

        #expect(try listEvent(screen)["error"] == nil)
        executor.runAll()
        #expect(screen.controller.state(of: OrderID(1)).row?.title == "Order 1")
        #expect(!screen.controller.hasFailed(OrderID(2)))
    }

    @Test func `A page that comes back finds the row that was at its top`() throws {
        let screen = screen(first: 30..<35, topRow: OrderID(41))

        let event = try listEvent(screen)

        #expect(anchor(event) == "41 at 40")
        #expect(rows(event) == ["41", "42", "43", "44", "45"])
    }

    @Test func `A row that somebody else loads anew is sent to every page that shows it, in one rendering`() async {
        let (one, other) = (screen(), screen())
        let changes = ChangeLog<OrderID>.Changes(id: 1, isScreenChanged: false, rows: [OrderID(1)])
        let events = [one.events(for: changes), other.events(for: changes)].compactMap(\.last)

        #expect(events.map(\.name) == ["rows", "rows"])
        let rows = events.compactMap { $0.data.split(separator: "\"html\":").last }
        #expect(rows[0] == rows[1])
        #expect(rows[0].contains("Order 1"))
    }
}
