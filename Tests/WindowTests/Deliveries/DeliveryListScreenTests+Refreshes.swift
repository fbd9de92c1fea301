import Foundation
import HTTPTypes
import LadingRecords
import LadingTesting
import Synchronization
import Testing
import Timing
@testable import Deliveries
@testable import Window

/// Lists whose rows move, and lists that are fetched again.
extension DeliveryListScreenTests {
    @Test func `Clearing a sort shows the list in its own order`() async throws {
        let screen = try await screen(showing: 0...4, of: 40)
        defer { screen.stop() }
        screen.setQuery(RequestedQuery(sort: "title"))
        await wait(screen) { $0.isQueryApplied && $0.rows.snapshot[11]?.row.id == "19" }
        _ = try listEvent(screen)
        // In the list "Delivery 2" precedes "Delivery 19".
        report(screen, seq: 2, 11...12)

        screen.setQuery(RequestedQuery())
        report(screen, seq: 3, 11...12)

        await wait(screen) { $0.isQueryApplied }
        #expect(screen.state.withLock { $0.rows.snapshot.records.map(\.place) } == Array(0..<40))
    }

    @Test func `Rows in view that new rows move to the next page keep their position`() async throws {
        let screen = try await screen(showing: 5...9, of: 40)
        defer { screen.stop() }
        serve(100..<120, at: 0)
        serve(0..<20, at: 20)
        serve(20..<40, at: 40)
        serve(0..<0, at: 60)

        screen.refresh()
        await wait(screen) { $0.rows.index(of: "5") == 25 }

        let event = try listEvent(screen)
        #expect(anchor(event) == "5 at 25")
        #expect(event["fresh"] as? String == "20 new deliveries")
        #expect(rows(event) == ["5", "6", "7", "8", "9"])
    }

    @Test func `If the next page of a refresh fails, the new rows replace those in view`() async throws {
        let screen = try await screen(showing: 5...9, of: 40)
        defer { screen.stop() }
        backend.script(DeliveryWire.page(20), .response(status: .internalServerError))

        await refresh(screen, returning: Array(100..<120))

        let event = try listEvent(screen)
        #expect(anchor(event) == "no row at 5")
        #expect(rows(event) == ["105", "106", "107", "108", "109"])
    }

    @Test func `A removed row disappears, also if it is the first in view`() async throws {
        let screen = try await screen(showing: 5...9, of: 40)
        defer { screen.stop() }

        try await store.remove(["5"])
        await wait(screen) { $0.rows.index(of: "5") == nil }

        #expect(anchor(try listEvent(screen)) == "6 at 5")
    }

    @Test func `Known rows that have moved above the reader are not announced as new`() async throws {
        let screen = try await screen(showing: 5...9, of: 40)
        defer { screen.stop() }
        let order = Array(10..<18) + Array(0..<10) + [18, 19]
        backend.script(DeliveryWire.page(0), .response(text: DeliveryWire.rows(order)))

        screen.refresh()
        await wait(screen) { $0.rows.index(of: "10") == 0 }

        let event = try listEvent(screen)
        #expect(anchor(event) == "5 at 13")
        #expect(event["fresh"] == nil)
    }

    @Test func `The time of unchanged rows is sent when they were fetched again`() async throws {
        let time = ManualClock()
        let start = time.now
        let store = MemoryRecordStore<Delivery> { Date(timeIntervalSince1970: 1_000 + start.duration(to: time.now) / .seconds(1)) }
        let deliveries = (0..<15).map { Delivery(id: DeliveryID($0), title: "Delivery \($0)") }
        _ = try await store.store(RecordPage(deliveries, at: 0, generation: 1, isEnd: true))
        let screen = try await screen(of: store)
        defer { screen.stop() }
        await wait(screen) { $0.status.isComplete }
        #expect(try listEvent(screen)["at"] as? Int == 1_000_000)
        var (last, at): (Int, Int?) = (screen.lastEventID, nil)
        let reader = screen.registerReader()
        time.advance(by: .seconds(8_000))

        _ = try await store.store(RecordPage(deliveries, at: 0, generation: 2, isEnd: true))

        while at != 9_000_000, case .events(let events, let id) = await screen.nextOutput(after: last, for: reader) {
            last = id
            for event in events where event.name == "list" { at = try fields(of: event)["at"] as? Int }
        }
        #expect(at == 9_000_000)
    }

    @Test func `The rows of a page are read again when it has a stream`() async throws {
        try await fill(5)
        let screen = try await screen()
        defer { screen.stop() }
        await wait(screen) { $0.rows.count == 5 && $0.status.isComplete }
        let session = WindowSession(id: "1", screen: screen, time: Stopwatch(ManualClock()))
        let other = RecordResults(store: store, query: RecordQuery())
        defer { other.close() }
        other.open()

        for index in 5...6 {
            _ = try await store.store(RecordPage([Delivery(id: DeliveryID(index), title: "New")], at: index, generation: 1, isEnd: true))
            // Other results of the store show when a change can have been read.
            for await _ in other.updates where other.state.isUpToDate && other.state.count == index + 1 { break }
            screen.results.reload()
            #expect(!screen.results.state.isUpToDate && screen.state.withLock { $0.rows.count } == index)

            session.streamChanged(isOpen: true)
            await wait(screen) { $0.rows.count == index + 1 }
            session.streamChanged(isOpen: false)
        }
    }

    @Test func `A list of rows that could not be read shows their number`() async throws {
        backend.script(DeliveryWire.page(0), .response(text: "[\(Array(repeating: "null", count: 20).joined(separator: ","))]"))
        serve(0..<0, at: 20)
        let screen = try await screen()
        defer { screen.stop() }

        await wait(screen) { $0.status.isComplete }

        #expect(try listEvent(screen)["empty"] as? String == "20 deliveries couldn’t be read.")
    }

    @Test(arguments: [false, true]) func `A list whose store could not be read is opened by a retry or a refresh`(
        isRefresh: Bool
    ) async throws {
        let unreadable = UnreadableRecordStore(store, error: CocoaError(.fileReadUnknown))
        serve(0..<5, at: 0)
        let screen = try await screen(of: unreadable)
        defer { screen.stop() }
        await wait(screen) { $0.status.reason != nil }
        unreadable.makeReadable()

        if isRefresh { screen.refresh() } else { screen.retry() }

        await wait(screen) { $0.rows.count == 5 && $0.status.reason == nil }
        #expect(backend.requestedURLs == [DeliveryWire.page(0)])
    }

    @Test func `The next page is fetched while a hundred rows are in view`() async throws {
        try await fill(100, isEnd: false)
        serve(100..<110, at: 100)
        let screen = try await screen()
        defer { screen.stop() }
        await wait(screen) { $0.rows.count == 100 }
        _ = try listEvent(screen)

        report(screen, seq: 1, 0...99)

        await wait(screen) { $0.rows.count == 110 }
    }
}
