import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import OrderLifecycle
import Orders
import Synchronization
import Testing

@testable import Window

// Orders that change while the page is open, and pages that are closed meanwhile.
extension CourierListScreenTests {
    private static let order7 = "\(api)/orders/7"

    private func changesURL(after position: Int) -> String { "\(Self.api)/changes?after=e%3A\(position)" }

    /// Scripts the change feed after a position: one connection with changes of orders, and then one that does not end.
    private func scriptChanges(after position: Int = 1, of orders: some Collection<Int>, kind: String = "open") {
        let events = orders.enumerated().map { offset, order in
            "event: change\nid: e:\(position + 1 + offset)\ndata: {\"order\":\(order),\"kind\":\"\(kind)\"}\n\n"
        }
        backend.script(
            changesURL(after: position), .response(headers: [.contentType: "text/event-stream"], text: events.joined()))
        backend.script(changesURL(after: position + orders.count), .response(), behind: feed)
    }

    /// Waits until a connection to the change feed has ended, and begins the next. No other timer must be set.
    private func reconnectFeed() async {
        _ = await clock.nextTimer()
        clock.advance(by: .milliseconds(500))
    }

    /// Waits for the pause after a read, and ends it.
    private func endPause() async {
        let now = clock.now
        #expect(await clock.nextTimer() == now.advanced(by: .milliseconds(50)))
        clock.advance(by: .milliseconds(50))
    }

    /// Shows the page, lets it receive two parts of the feed while the first order is read, and ends the read.
    private func receiveChanges(_ screen: CourierListScreen, during reading: Gate) async {
        screen.setVisible(true)
        await reading.waitForWaiters(count: 1)
        await reconnectFeed()
        await reconnectFeed()
        await feed.waitForWaiters(count: 1)
        reading.open()
    }

    private func requestCount(of url: String) -> Int { backend.requestedURLs.count { $0 == url } }

    @Test func `Changes of an order during its read cause one more read`() async throws {
        script(1...40)
        let (screen, reading) = (try await screen(), Gate())
        scriptChanges(of: [7])
        scriptChanges(after: 2, of: [7, 7, 7, 7])
        backend.script(
            Self.order7, .response(text: CourierWire.order(7, title: "Old", version: "0.2")),
            .response(text: CourierWire.order(7, title: "New", version: "0.6")), behind: reading)

        await receiveChanges(screen, during: reading)
        await endPause()
        await endPause()
        screen.stop()

        #expect(requestCount(of: Self.order7) == 2)
        #expect(screen.state.withLock { $0.list.orders[6].title } == "New")
    }

    @Test func `After an order could not be read no row moves: rows have left, and new orders are announced`() async throws {
        script(1...40)
        let (screen, reading) = (try await screen(), Gate())
        report(screen, 0...4)
        script(Array(1...2) + Array(5...41), position: "e:2")
        scriptChanges(of: [7])
        backend.script(Self.order7, .response(status: .internalServerError), behind: reading)

        screen.setVisible(true)
        await reading.waitForWaiters(count: 1)
        await reconnectFeed()
        await feed.waitForWaiters(count: 1)
        let now = clock.now
        reading.open()
        #expect(await clock.nextTimer() == now.advanced(by: .milliseconds(500)))
        #expect(requestCount(of: url()) == 1)
        clock.advance(by: .milliseconds(500))
        await screen.wait(atMost: .seconds(1), on: clock) { screen in screen.state.withLock { !$0.list.new.isEmpty } }
        screen.stop()

        let event = try listEvent(screen)
        #expect(event["list"] as? String == "1" && event["count"] as? Int == 40)
        #expect(event["fresh"] as? String == "1 new order")
        #expect(event["anchor"] == nil && event["rows"] == nil)
        #expect(screen.state.withLock { $0.list.left } == [3, 4])
    }

    @Test func `An own order that changes before the list is read is read after it, and has not left`() async throws {
        script(1...40)
        let (screen, reading) = (try await screen(), Gate())
        script(Array(1...6) + Array(8...40), position: "e:3")
        scriptChanges(of: [5])
        scriptChanges(after: 2, of: [7], kind: "event")
        backend.script("\(Self.api)/orders/5", .response(status: .internalServerError), behind: reading)
        backend.script(Self.order7, .response(text: CourierWire.order(7, state: "claimed", version: "1.2", holder: "mina")))

        await receiveChanges(screen, during: reading)
        _ = await clock.nextTimer()
        clock.advance(by: .milliseconds(500))
        await endPause()
        await screen.wait(atMost: .seconds(1), on: clock) { screen in screen.state.withLock { $0.list.orders[6].state == .claimed } }
        screen.stop()

        #expect(requestCount(of: url()) == 2)
        #expect(screen.state.withLock { $0.list.orders[6].state == .claimed && $0.list.left.isEmpty })
    }

    @Test func `After changes of many orders the list is read instead of each`() async throws {
        script(1...40)
        let (screen, reading) = (try await screen(), Gate())
        let others = 1_000...(1_000 + ChangedOrders.limit)
        script(1...41, position: "e:\(2 + others.count)")
        scriptChanges(of: [7])
        scriptChanges(after: 2, of: others, kind: "event")
        backend.script(Self.order7, .response(text: CourierWire.order(7)), behind: reading)

        await receiveChanges(screen, during: reading)
        await endPause()
        await screen.wait(atMost: .seconds(1), on: clock) { screen in screen.state.withLock { !$0.list.new.isEmpty } }
        screen.stop()

        #expect(requestCount(of: url()) == 2)
        #expect(others.allSatisfy { requestCount(of: "\(Self.api)/orders/\($0)") == 0 })
    }

    // MARK: Closed pages

    @Test func `The read of an own order ends when the page is closed`() async throws {
        script(1...40)
        let (screen, reading) = (try await screen(), Gate())
        scriptChanges(of: [7], kind: "event")
        backend.script(Self.order7, .response(text: CourierWire.order(7)), behind: reading)

        screen.setVisible(true)
        await reading.waitForWaiters(count: 1)
        screen.stop()

        #expect(reading.waiterCount == 0)
    }

    @Test func `No order is read after the page was closed during a read that others may share`() async throws {
        script(1...40)
        let (screen, reading) = (try await screen(), Gate())
        scriptChanges(of: [7])
        scriptChanges(after: 2, of: [8])
        backend.script(Self.order7, .response(text: CourierWire.order(7)), behind: reading)
        screen.setVisible(true)
        await reading.waitForWaiters(count: 1)
        await reconnectFeed()
        await reconnectFeed()
        await feed.waitForWaiters(count: 1)
        let task = try #require(screen.state.withLock { $0.readingChanges })

        screen.stop()
        reading.open()
        await task.value

        #expect(requestCount(of: "\(Self.api)/orders/8") == 0)
    }

    @Test func `A closed page begins no task`() async throws {
        script(1...40)
        let screen = try await screen()

        screen.stop()
        screen.refresh()
        screen.setVisible(true)

        #expect(!screen.isLoading)
        #expect(screen.state.withLock { $0.loading == nil && $0.following == nil })
    }
}
