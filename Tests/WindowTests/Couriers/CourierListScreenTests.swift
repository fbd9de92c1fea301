import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import OrderLifecycle
import Orders
import Synchronization
import Testing

@testable import Window

/// The positions and loads of a courier's list, whose API is scripted.
@Suite("Screens of couriers' lists", .timeLimit(.minutes(10))) struct CourierListScreenTests: ListEventReader {
    static let api = "http://a.org/api/v1"

    let backend = ScriptedExecutor()
    let clock = ManualClock()
    private let reads = JoinedReads<Int, APIOrder?>()
    /// The gate of a change feed that does not end.
    let feed = Gate()
    private let repository: OrderRepository
    private let renderer: PageRenderer

    init() throws {
        repository = OrderRepository(backend: backend, executor: ManualTaskExecutor())
        renderer = try PageRenderer(resources: WindowServer.resourceFolder(), version: "1")
    }

    /// Returns the URL of a page of open orders.
    func url(page number: Int = 0, query: String = "sort=id") -> String {
        "\(Self.api)/orders?\(number == 0 ? "" : "after=c\(number)&")limit=50&scope=open&\(query)"
    }

    /// Scripts the open orders, in pages of 50.
    func script(_ ids: some Sequence<Int>, position: String = "e:1") {
        let ids = Array(ids)
        for (number, start) in stride(from: 0, to: max(1, ids.count), by: 50).enumerated() {
            let next = start + 50 < ids.count ? "c\(number + 1)" : nil
            backend.script(
                url(page: number), .response(text: CourierWire.page(ids[start...].prefix(50), position: position, next: next)))
        }
    }

    private func makeScreen(first: Range<Int>, topRow: Int? = nil, query: RequestedQuery = RequestedQuery()) throws -> CourierListScreen {
        let client = BackendClient(executor: backend)
        let api = APIClient(client, streams: client, origin: try #require(URL(string: "http://a.org")))
        let person = AccountService.Person(id: "mina", name: "Mina", role: "courier")
        let orders = OrderContexts(
            texts: Texts(.english), timeZone: .gmt, mapSource: .server(attribution: "", fingerprint: ""), now: { .distantPast })
        let contexts = CourierContexts(
            orders: orders, person: person, formToken: "f", catalog: repository.catalog, makeKey: { "k" })
        return CourierListScreen(
            .open, of: person, OrderService(api: api, token: "t"), sharing: reads, repository, contexts, renderer, first: first,
            topRow: topRow, query: query, clock: clock)
    }

    /// Returns a screen whose first orders have loaded.
    func screen(
        first: Range<Int> = 0..<8, topRow: Int? = nil, query: RequestedQuery = RequestedQuery()
    ) async throws -> CourierListScreen {
        let screen = try makeScreen(first: first, topRow: topRow, query: query)
        await finishLoading(screen)
        return screen
    }

    private func finishLoading(_ screen: CourierListScreen) async {
        await screen.wait(atMost: .seconds(1), on: clock) { !$0.isLoading }
    }

    /// Returns the event of the current list.
    func listEvent(_ screen: CourierListScreen) throws -> [String: Any] {
        let changes = ChangeLog<OrderID>.Changes(id: 1, isScreenChanged: true, rows: [])
        let event = try #require(screen.events(for: changes).first)
        return try #require(try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any])
    }

    func report(_ screen: CourierListScreen, seq: Int = 1, list: Int = 1, _ visible: ClosedRange<Int>) {
        screen.setViewport(
            ViewportReport(
                list: "\(list)", seq: seq, first: visible.lowerBound, last: visible.upperBound, rowsPerSecond: 0, landing: nil))
    }

    // MARK: The reader's position

    @Test func `After a refresh the first visible row is the anchor`() async throws {
        script(1...40)
        let screen = try await screen()
        report(screen, 20...24)
        script(Array(1...2) + Array(5...40))

        screen.refresh()
        await finishLoading(screen)

        let event = try listEvent(screen)
        #expect(anchor(event) == "21 at 18")
        #expect(rows(event) == ["21", "22", "23", "24", "25"])
        #expect(event["fresh"] as? String == "")
    }

    @Test func `The nearest remaining row replaces a removed anchor`() async throws {
        script(1...40)
        let screen = try await screen()
        report(screen, 10...14)
        script(Array(1...5) + Array(12...40))

        screen.refresh()
        await finishLoading(screen)

        #expect(anchor(try listEvent(screen)) == "12 at 5")
    }

    @Test func `A page that has not received the last list is anchored at a row that it has`() async throws {
        script(1...40)
        let screen = try await screen()
        report(screen, 20...24)
        let orders = [Array(1...20), [90], Array(22...40)]
        script(orders.joined())
        screen.refresh()
        await finishLoading(screen)

        // Order 90 is the first one in view now, which the page does not have.
        script([91, 92] + orders.joined())
        screen.refresh()
        await finishLoading(screen)

        #expect(anchor(try listEvent(screen)) == "22 at 23")
    }

    @Test func `A reader at the top sees the new first rows after a refresh`() async throws {
        script(2...40)
        let screen = try await screen()
        report(screen, 0...4)
        script(1...40)

        screen.refresh()
        await finishLoading(screen)

        let event = try listEvent(screen)
        #expect(anchor(event) == nil)
        #expect(rows(event) == ["1", "2", "3", "4", "5"])
    }

    @Test func `A refresh reads as many pages as reach the reader`() async throws {
        script(1...120)
        let screen = try await screen(first: 60..<68)
        report(screen, 60...64)

        screen.refresh()
        await finishLoading(screen)

        let event = try listEvent(screen)
        #expect(event["count"] as? Int == 100 && event["size"] as? Int == -1)
        #expect(anchor(event) == "61 at 60")
    }

    @Test func `A reopened page is anchored at its former top row`() async throws {
        script(1...120)
        let screen = try await screen(first: 60..<65, topRow: 66)

        // Its stream begins after the list was read.
        screen.invalidateAll()

        let event = try listEvent(screen)
        #expect(anchor(event) == "66 at 65")
        #expect(rows(event) == ["66", "67", "68", "69", "70"])
        #expect(event["count"] as? Int == 100)
    }

    @Test func `A page that was rendered before its list was known scrolls to its index`() async throws {
        let gate = Gate()
        backend.script(url(), .response(text: CourierWire.page(1...40)), behind: gate)
        let screen = try makeScreen(first: 20..<25)
        _ = screen.renderedList()
        screen.invalidateAll()
        // The page has no rows yet.
        report(screen, list: 0, 0...0)

        gate.open()
        await finishLoading(screen)

        let event = try listEvent(screen)
        #expect(anchor(event) == "no row at 20")
        #expect(rows(event) == ["21", "22", "23", "24", "25"])
    }

    @Test func `A search begins at the top`() async throws {
        script(1...40)
        let screen = try await screen()
        report(screen, 20...24)
        backend.script(url(query: "sort=id&text=x"), .response(text: CourierWire.page([21, 22])))

        screen.setQuery(RequestedQuery(search: "x"))
        await finishLoading(screen)

        let event = try listEvent(screen)
        #expect(anchor(event) == nil)
        #expect(rows(event) == ["21", "22"])
    }

    @Test func `Another position of the reader changes the distances, but not the index`() async throws {
        script(1...40)
        let screen = try await screen(first: 20..<25, query: RequestedQuery(sort: "nearest"))
        report(screen, 20...24)
        let near = "\(Self.api)/orders?limit=50&near=40.5%2C-74.25&scope=open&sort=distance"
        backend.script(near, .response(text: CourierWire.page((1...40).reversed())))

        // The page sends an empty search for none.
        screen.setQuery(RequestedQuery(search: "", sort: "nearest", near: [40.5, -74.25]))
        await finishLoading(screen)

        let event = try listEvent(screen)
        #expect(anchor(event) == "no row at 20")
        #expect(rows(event).first == "20")
    }

    // MARK: Loads that the reader has not requested

    @Test func `A failed next page is read again, and no other`() async throws {
        script(1...120)
        backend.script(url(page: 1), .response(status: .badGateway))
        let screen = try await screen()
        report(screen, 30...34)
        await finishLoading(screen)
        #expect(try listEvent(screen)["error"] != nil)

        script(1...120)
        screen.retryFailures { _ in true }
        await finishLoading(screen)

        #expect(try listEvent(screen)["error"] == nil)
        #expect(try listEvent(screen)["count"] as? Int == 100)
        #expect(backend.requestedURLs == [url(), url(page: 1), url(page: 1)])
    }

    @Test func `A search that has failed is at the top when a refresh reads it`() async throws {
        script(1...40)
        let screen = try await screen()
        report(screen, 20...24)
        let search = url(query: "sort=id&text=x")
        backend.script(search, .response(status: .badGateway))
        screen.setQuery(RequestedQuery(search: "x"))
        await finishLoading(screen)
        backend.script(search, .response(text: CourierWire.page([21, 22])))

        screen.refresh()
        await finishLoading(screen)

        #expect(anchor(try listEvent(screen)) == nil)
        #expect(rows(try listEvent(screen)) == ["21", "22"])
    }
}
