import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingOutbox
import LadingRecords
import LadingTesting
import Synchronization
import Testing
import Timing
@testable import Deliveries
@testable import Window

/// Events of the delivery list, with a store in memory and a scripted server.
@Suite(.timeLimit(.minutes(10))) struct DeliveryListScreenTests: ListEventReader {
    let backend = ScriptedExecutor()
    let store = MemoryRecordStore<Delivery>(now: { Date(timeIntervalSince1970: 1_000) })
    private let renderer: PageRenderer
    private let clock = ManualClock()

    init() throws {
        renderer = try PageRenderer(resources: WindowServer.resourceFolder(), version: "1")
    }

    func serve(_ ids: Range<Int>, at offset: Int) {
        backend.script(DeliveryWire.page(offset), .response(text: DeliveryWire.rows(ids)))
    }

    /// - Parameter store: The store of the screen; nil for that of the suite.
    func screen(
        of store: (any RecordStore<Delivery>)? = nil, first: Range<Int> = 0..<5, query: RequestedQuery = RequestedQuery(),
        at time: Double = 1_000, mayHaveLostFavourites: Bool = false, isDiskFull: Bool = false
    ) async throws -> DeliveryListScreen {
        let store: any RecordStore<Delivery> = store ?? self.store
        let repository = try await DeliveryRepository(
            store: store, BackendClient(executor: backend), BackendQueue(), mayHaveLostFavourites: mayHaveLostFavourites,
            isDiskFull: isDiskFull
        ) {
            Date(timeIntervalSince1970: time)
        }
        let contexts = DeliveryContexts(
            texts: Texts(.english), timeZone: .gmt, mapSource: .server(attribution: "", fingerprint: ""), now: { .distantPast })
        return await DeliveryListScreen(repository, contexts, renderer, first: first, query: query)
    }

    func wait(_ screen: DeliveryListScreen, until condition: @escaping @Sendable (DeliveryListScreen.State) -> Bool) async {
        await screen.wait(atMost: .seconds(1), on: clock) { condition($0.state.withLock { $0 }) }
    }

    func listEvent(_ screen: DeliveryListScreen) throws -> [String: Any] {
        try fields(of: try #require(screen.events(for: .init(id: 1, isScreenChanged: true, rows: [])).first))
    }

    func fields(of event: WindowEvent) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any])
    }

    func notices(_ screen: DeliveryListScreen) throws -> [[String: Any]] {
        try listEvent(screen)["notices"] as? [[String: Any]] ?? []
    }

    func report(_ screen: DeliveryListScreen, seq: Int, _ visible: ClosedRange<Int>) {
        let list = screen.state.withLock { $0.listRevision }
        screen.setViewport(
            ViewportReport(
                list: "\(list)", seq: seq, first: visible.lowerBound, last: visible.upperBound, rowsPerSecond: 0, landing: nil))
    }

    func fill(_ count: Int, isEnd: Bool = true) async throws {
        let rows = (0..<count).map { Delivery(id: DeliveryID($0), title: "Delivery \($0)") }
        let next: PageKey? = isEnd ? nil : .offset(count)
        _ = try await store.store(RecordPage(rows, at: 0, generation: 1, next: next, isEnd: isEnd))
    }

    /// Returns a screen of stored rows whose page has reported a viewport.
    func screen(showing visible: ClosedRange<Int>, of count: Int) async throws -> DeliveryListScreen {
        try await fill(count)
        let screen = try await screen()
        await wait(screen) { $0.rows.count == count }
        _ = try listEvent(screen)
        report(screen, seq: 1, visible)
        return screen
    }

    /// Refreshes a list that already has the last of these rows, but not the first.
    func refresh(_ screen: DeliveryListScreen, returning ids: [Int]) async {
        backend.script(DeliveryWire.page(0), .response(text: DeliveryWire.rows(ids)))
        screen.refresh()
        await wait(screen) { $0.rows.index(of: DeliveryID(ids[0])) != nil }
    }

    @Test func `An empty store shows the first page when it arrives, and the end together with the last rows`() async throws {
        serve(0..<20, at: 0)
        serve(20..<25, at: 20)
        let screen = try await screen()
        defer { screen.stop() }

        await wait(screen) { $0.status.isComplete }

        let event = try listEvent(screen)
        #expect(event["title"] as? String == "25 deliveries")
        #expect(rows(event) == ["0", "1", "2", "3", "4"])
        #expect((event["foot"] as? [String: String])?["state"] == "end")
        #expect(event["size"] as? Int == 25)
    }

    @Test func `Fresh stored rows are shown without a request`() async throws {
        try await fill(30)
        let screen = try await screen()
        defer { screen.stop() }

        await wait(screen) { $0.rows.count == 30 }

        #expect(rows(try listEvent(screen)).count == 5)
        #expect(backend.requests.isEmpty)
    }

    @Test func `An incomplete list shows the count so far and has no size`() async throws {
        try await fill(200, isEnd: false)
        let screen = try await screen()
        defer { screen.stop() }

        await wait(screen) { $0.rows.count == 200 }

        let event = try listEvent(screen)
        #expect(event["title"] as? String == "200 deliveries so far")
        #expect(event["size"] as? Int == -1)
        #expect(event["foot"] == nil)
    }

    @Test func `Offline, stored rows are shown with their age and the error`() async throws {
        struct SampleCause: Error {}
        try await fill(30)
        backend.script(DeliveryWire.page(0), .failure(BackendError.unreachable(DeliveryWire.list, cause: SampleCause())))
        let screen = try await screen(at: 9_000)
        defer { screen.stop() }

        await wait(screen) { $0.status.isOffline && $0.rows.count == 30 }

        let event = try listEvent(screen)
        #expect(event["note"] as? String == "Offline. Stored {age}")
        #expect(event["at"] as? Int == 1_000_000)
        #expect(event["error"] as? String == "The server can’t be reached.")
        #expect(event["why"] as? String == "cannot reach a.org")
        #expect(rows(event).count == 5)
    }

    @Test func `Offline, an empty store shows the error and no age`() async throws {
        struct SampleCause: Error {}
        backend.script(DeliveryWire.page(0), .failure(BackendError.unreachable(DeliveryWire.list, cause: SampleCause())))
        let screen = try await screen()
        defer { screen.stop() }

        await wait(screen) { $0.status.isOffline }

        let event = try listEvent(screen)
        #expect(event["note"] == nil)
        #expect(event["error"] as? String == "The server can’t be reached.")
        #expect(event["why"] as? String == "cannot reach a.org")
    }

    @Test func `Only pages near the viewport are fetched`() async throws {
        for page in 0..<12 { serve(20 * page..<20 * page + 20, at: 20 * page) }
        let screen = try await screen()
        defer { screen.stop() }
        await wait(screen) { $0.rows.count == 60 }
        _ = try listEvent(screen)
        for visible in [10...14, 40...44, 55...59] { report(screen, seq: visible.lowerBound, visible) }
        await wait(screen) { $0.rows.count == 100 && !$0.status.isAppending }
        report(screen, seq: 56, 56...59)

        #expect(screen.pages.state.fetching.isEmpty)
        #expect(backend.requests.count == 5, "\(backend.requests.map { $0.url.absoluteString })")
    }

    @Test func `Pages that bring no new row do not end the list`() async throws {
        serve(0..<20, at: 0)
        for page in 1...5 { backend.script(DeliveryWire.page(20 * page), .response(text: DeliveryWire.rows(Array(0..<20)))) }
        let unreadable = "[\(Array(repeating: "null", count: 20).joined(separator: ","))]"
        for page in 6...7 { backend.script(DeliveryWire.page(20 * page), .response(text: unreadable)) }
        serve(20..<25, at: 160)
        let screen = try await screen()
        defer { screen.stop() }
        await wait(screen) { $0.rows.count == 20 }
        _ = try listEvent(screen)

        report(screen, seq: 1, 15...19)

        await wait(screen) { $0.rows.count == 25 && $0.status.isComplete }
    }

    @Test func `A refresh preserves the position of the first visible row and counts new rows above it`() async throws {
        let screen = try await screen(showing: 5...9, of: 40)
        defer { screen.stop() }
        await refresh(screen, returning: Array(100..<103) + Array(0..<17))

        let event = try listEvent(screen)
        #expect(anchor(event) == "5 at 8")
        #expect(event["fresh"] as? String == "3 new deliveries")
        #expect(rows(event) == ["5", "6", "7", "8", "9"])

        // Another row arrives before the page acknowledges the list.
        await refresh(screen, returning: [200] + Array(100..<103) + Array(0..<16))
        #expect(try listEvent(screen)["fresh"] as? String == "4 new deliveries")
        report(screen, seq: 2, 9...13)
        #expect(try listEvent(screen)["fresh"] == nil)
    }

    @Test func `A list that was empty is fetched again when a page opens`() async throws {
        try await fill(0)
        serve(0..<5, at: 0)
        let screen = try await screen()
        defer { screen.stop() }

        await wait(screen) { $0.rows.count == 5 }
    }

    @Test func `A list that ends above the viewport shows its last rows`() async throws {
        let screen = try await screen(showing: 150...154, of: 200)
        defer { screen.stop() }
        await wait(screen) { $0.rows.snapshot[150] != nil }
        serve(0..<15, at: 0)

        screen.refresh()
        await wait(screen) { $0.rows.count == 15 && $0.status.isComplete && !$0.status.isRefreshing }

        let event = try listEvent(screen)
        #expect(event["title"] as? String == "15 deliveries")
        #expect(rows(event) == ["10", "11", "12", "13", "14"])
    }

    @Test func `A page opened at a later index receives the rows there`() async throws {
        try await fill(500, isEnd: false)
        let screen = try await screen(first: 300..<305)
        defer { screen.stop() }

        await wait(screen) { $0.isQueryApplied }

        #expect(screen.hasFinishedLoading(in: 300..<305))
        #expect(rows(try listEvent(screen)) == ["300", "301", "302", "303", "304"])
    }

    @Test func `Rows of an unsent list are neither sent nor marked as sent`() async throws {
        let screen = try await screen(showing: 0...4, of: 40)
        defer { screen.stop() }
        await refresh(screen, returning: Array(100..<103) + Array(0..<17))

        let ids: Set<DeliveryID> = ["8", "9"]
        #expect(screen.events(for: .init(id: 2, isScreenChanged: false, rows: Array(ids))).isEmpty)
        _ = try listEvent(screen)
        report(screen, seq: 2, 3...7)
        #expect(screen.events(for: .init(id: 3, isScreenChanged: false, rows: Array(ids))).count == 1)
    }

    @Test func `A row that changes out of view is sent when it is visible again`() async throws {
        let screen = try await screen(showing: 0...4, of: 1_000)
        defer { screen.stop() }
        await wait(screen) { $0.rows.snapshot[4] != nil }
        let sent = {
            screen.state.withLock { state in
                var watchedRows = state.watchedRows
                let (version, changedAt) = (state.version, state.changedAt)
                return !watchedRows.missing(around: 0..<5, of: 1_000, latest: version) { _ in changedAt }.contains(3)
            }
        }
        _ = screen.events(for: .init(id: 2, isScreenChanged: false, rows: ["3"]))
        #expect(sent())
        report(screen, seq: 2, 500...504)
        await wait(screen) { $0.rows.snapshot[500] != nil && $0.rows.snapshot[3] == nil }
        #expect(sent())

        try await store.setLocalChange(Data("true".utf8), named: Delivery.localFavouriteName, of: "3")

        await wait(screen) { $0.changedAt > 0 }
        #expect(!sent())
    }

    @Test func `A search scrolls to the top and counts the results among all stored rows`() async throws {
        let screen = try await screen(showing: 10...14, of: 40)
        defer { screen.stop() }

        screen.setQuery(RequestedQuery(search: "delivery 3"))
        await wait(screen) { $0.isQueryApplied && $0.rows.count == 13 }

        let event = try listEvent(screen)
        #expect(event["title"] as? String == "13 deliveries")
        #expect(event["anchor"] == nil)
        #expect(event["size"] as? Int == 13)
        #expect(rows(event) == ["3", "13", "23", "30", "31"])
    }

    @Test func `A query that arrives out of order is ignored, unless the page's clock was set back`() async throws {
        try await fill(40)
        let screen = try await screen()
        let session = WindowSession(id: "w", screen: screen, time: Stopwatch(ManualClock()))
        defer { session.close() }
        for (report, taken) in [
            (#"{"search":"lamp","at":52000}"#, "lamp"), (#"{"search":"la","at":51850}"#, "lamp"), (#"{"search":"old"}"#, "old"),
            (#"{"search":"lamps","at":52000}"#, "lamps"), (#"{"search":"back","at":12000}"#, "back"),
        ] {
            session.handle(try JSONDecoder().decode(QueryReport.self, from: Data(report.utf8)))
            #expect(screen.state.withLock { $0.query.search } == taken)
        }
    }

    @Test func `A search without results is reported`() async throws {
        try await fill(40)
        let screen = try await screen(query: RequestedQuery(search: "zucchini"))
        defer { screen.stop() }

        await wait(screen) { $0.isQueryApplied }

        #expect(try listEvent(screen)["empty"] as? String == "No stored delivery matches “zucchini”.")
    }

    @Test func `A local favourite is sent to the page that shows the row`() async throws {
        let screen = try await screen(showing: 0...4, of: 40)
        defer { screen.stop() }

        try await store.setLocalChange(LocalFavourite(true).data, named: Delivery.localFavouriteName, of: "2")
        await wait(screen) { $0.rows.snapshot[2]?.withLocalChanges.isFavourite == true }

        let events = screen.events(for: .init(id: 1, isScreenChanged: false, rows: ["2"]))
        #expect(events.first?.data.contains(#"aria-pressed=\"true\""#) == true)
    }

    /// Stores a refused favourite with its row.
    func storeRejection(of id: DeliveryID) async throws {
        let reason = BackendError.status(403, DeliveryWire.list)
        let rejection = FavouriteRejection(id: id, isFavourite: true, key: .unique(), reason: .refused(reason))
        try await store.setLocalChange(JSONEncoder().encode(StoredRejection(rejection)), named: StoredRejection.name, of: id)
    }

    @Test func `A failed list is fetched when the server responds again and is no longer shown as offline`()
        async throws
    {
        try await fill(40)
        backend.script(DeliveryWire.page(0), .failure(BackendError.unreachable(DeliveryWire.list, cause: CocoaError(.fileNoSuchFile))))
        let screen = try await screen(at: 5_000)
        defer { screen.stop() }
        await wait(screen) { $0.status.isOffline }
        serve(0..<15, at: 0)

        screen.retryFailures { $0.isFailure(of: "b.org") }
        #expect(screen.state.withLock { $0.status.isOffline })
        screen.retryFailures { $0.isFailure(of: "a.org") }

        #expect(!screen.state.withLock { $0.status.isOffline })
        #expect(try listEvent(screen)["error"] == nil)
        await wait(screen) { $0.rows.count == 15 }
        #expect(try listEvent(screen)["title"] as? String == "15 deliveries")
    }

    @Test func `A failed page preserves the rows, and a retry continues`() async throws {
        serve(0..<20, at: 0)
        backend.script(DeliveryWire.page(20), .response(status: .internalServerError))
        let screen = try await screen()
        defer { screen.stop() }
        await wait(screen) { $0.status.reason != nil }
        #expect(try listEvent(screen)["why"] as? String == "the server responded with 500: /deliveries")
        serve(20..<25, at: 20)

        screen.retry()
        await wait(screen) { $0.status.isComplete }

        #expect(try listEvent(screen)["error"] == nil)
    }
}
