import Foundation
import LadingOutbox
import LadingTesting
import OrderStorageSQLite
import ScriptedServers
import Testing

@testable import OrderAPI
@testable import Webhooks

@Suite("Webhook sender", .timeLimit(.minutes(5)))
struct WebhookSenderTests {
    @Test func `The feed begins with an event that names its position, and each change follows once, signed`() async throws {
        let fixture = try await WebhookFixture()
        let before = try await fixture.createOrder()

        let order = try await fixture.run {
            let order = try await fixture.createOrder(externalID: "A-77")
            try await fixture.claimAndRelease(order)
            try await fixture.wait(forIDs: 4)
            return order
        }

        #expect(fixture.events.map(\.type) == ["feed.start", "order.create", "order.claim", "order.release"])
        #expect(fixture.events.dropFirst().map(\.order) == [order, order, order] && before != order)
        #expect(fixture.events.map(\.number) == [nil, 1, 2, 3])
        #expect(fixture.events.dropFirst().map(\.externalID) == ["A-77", "A-77", "A-77"])
        #expect(Set(fixture.events.map(\.id)).count == 4)
    }

    @Test func `The journal contains neither the URL nor its secrets`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.sender()

        let entries = try await fixture.journal.contents(of: "").entries

        #expect(entries.map(\.request.url.absoluteString) == ["https://webhook.invalid/"])
    }

    @Test func `An event that fails is sent again with its id, and later events of its order wait`() async throws {
        let fixture = try await WebhookFixture { event, attempt in
            event.number == 2 && attempt <= 2 ? [.send("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")] : nil
        }

        try await fixture.run {
            try await fixture.claimAndRelease(try await fixture.createOrder())
            try await fixture.wait(forIDs: 4)
        }

        #expect(fixture.events.map(\.number) == [nil, 1, 2, 2, 2, 3])
    }

    @Test func `A status that refuses a write elsewhere, a redirect and a dropped connection do not lose an event`() async throws {
        let fixture = try await WebhookFixture { event, attempt in
            guard event.number == 1 else { return nil }
            switch attempt {
            case 1: return [.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")]
            case 2: return [.send("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")]
            case 3: return [.reset]
            default: return nil
            }
        }
        let monitor = WebhookMonitor(url: "")

        try await fixture.run(monitor: monitor) {
            _ = try await fixture.createOrder()
            try await fixture.receiver.wait { _ in fixture.events.count { $0.number == 1 } == 4 }
        }

        #expect(fixture.receiver.log.requests.allSatisfy { $0.target.hasPrefix("/hook") && $0.method == "POST" })
        #expect(monitor.status.abandoned == [])
    }

    @Test func `Changes made while no sender runs are sent by the next one, after those that waited`() async throws {
        let fixture = try await WebhookFixture()
        let order = try await fixture.run {
            let order = try await fixture.createOrder()
            try await fixture.wait(forIDs: 2)
            return order
        }
        try await fixture.claimAndRelease(order)

        try await fixture.run { try await fixture.wait(forIDs: 4) }

        #expect(fixture.events.map(\.number).reduce(into: []) { if $0.last != $1 { $0.append($1) } } == [nil, 1, 2, 3])
    }

    @Test func `A sender that was killed before its first event begins where it would have begun`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.sender()
        _ = try await fixture.createOrder()

        try await fixture.run { try await fixture.wait(forIDs: 2) }

        #expect(fixture.events.map(\.type) == ["feed.start", "order.create"])
    }

    @Test func `Restoring the database begins the feed anew, while a sender runs and at the next start`() async throws {
        let fixture = try await WebhookFixture()
        try await fixture.run {
            _ = try await fixture.createOrder()
            try await fixture.wait(forIDs: 2)
            try await fixture.beginEpoch()
            fixture.api.changes.notify()
            try await fixture.wait(forIDs: 3)
            _ = try await fixture.createOrder()
            try await fixture.wait(forIDs: 4)
        }
        try await fixture.beginEpoch()

        try await fixture.run { try await fixture.wait(forIDs: 5) }

        let types = Dictionary(fixture.events.map { ($0.id, $0.type) }) { first, _ in first }
        #expect(types.values.sorted() == ["feed.start", "feed.start", "feed.start", "order.create", "order.create"])
    }

    @Test func `After events may have been lost the recovered ones are sent, and the feed begins anew once`() async throws {
        let fixture = try await WebhookFixture()
        try await fixture.run {
            _ = try await fixture.createOrder()
            try await fixture.wait(forIDs: 2)
        }
        let order = try await fixture.createOrder()
        // The journal contains the event of the order, and no event after it.
        try await fixture.run(url: ScriptedServer.unreachableURL()) {
            try await fixture.journal.wait { $0.entries.contains { $0.subject == "orders/\(order)" } }
        }

        try await fixture.run(mayHaveLostEvents: true) { try await fixture.wait(forIDs: 4) }
        try await fixture.run {
            _ = try await fixture.createOrder()
            try await fixture.wait(forIDs: 5)
        }

        let events = fixture.events.reduce(into: [WebhookFixture.Event]()) { if !$0.contains($1) { $0.append($1) } }
        #expect(events.filter { $0.type == "feed.start" }.count == 2)
        #expect(events.contains { $0.order == order } && events.last?.type == "order.create")
    }

    @Test func `A database that was restored while the outbox is full begins the feed as soon as there is room`() async throws {
        let fixture = try await WebhookFixture()
        _ = try await fixture.sender()
        for _ in 1...1_100 { _ = try await fixture.createOrder() }
        try await fixture.run(url: ScriptedServer.unreachableURL()) { try await fixture.journal.wait { $0.entries.count == 1_000 } }
        try await fixture.beginEpoch()

        try await fixture.run { try await fixture.wait(forIDs: 1_001) }

        #expect(fixture.events.last?.type == "feed.start")
    }

    @Test func `A sender that is created on a full disk begins the feed as soon as there is room`() async throws {
        let fixture = try await WebhookFixture()
        let monitor = WebhookMonitor(url: "")
        fixture.journal.fail(with: OutboxError.diskFull)
        let sender = try await fixture.sender(monitor: monitor)
        #expect(monitor.status.pending == 0)
        _ = try await fixture.createOrder()
        fixture.journal.fail(with: nil)

        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await sender.run() }
            defer { tasks.cancelAll() }
            try await fixture.wait(forIDs: 2)
        }

        #expect(fixture.events.map(\.type) == ["feed.start", "order.create"])
    }

    @Test func `An event with many long items is sent`() async throws {
        let fixture = try await WebhookFixture()

        try await fixture.run {
            try await fixture.pickUp(
                try await fixture.createOrder(), missing: (1...500).map { "\($0)" + String(repeating: "\u{1}", count: 190) })
            try await fixture.wait(forIDs: 4)
        }

        #expect(fixture.events.last?.type == "order.pickUp")
    }

    @Test func `An event that is too old, or whose receiver is gone, is abandoned and reported`() async throws {
        let fixture = try await WebhookFixture { event, _ in
            event.number == 1 ? [.send("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n")] : nil
        }
        let monitor = WebhookMonitor(url: "")
        let order = try await fixture.run(monitor: monitor) {
            let order = try await fixture.createOrder()
            try await fixture.abandonedEvents.wait { $0 == 1 }
            return order
        }
        try await fixture.claimAndRelease(order)
        try await fixture.run(url: ScriptedServer.unreachableURL()) {
            try await fixture.journal.wait { $0.entries.contains { $0.attempts > 0 } && $0.entries.count == 2 }
        }

        let week = WebhookMonitor(url: "")
        try await fixture.run(monitor: week, now: { WebhookFixture.start.date + 7 * 86_400 }) {
            try await fixture.abandonedEvents.wait { $0 == 3 }
        }

        #expect(fixture.events.map(\.number) == [nil, 1])
        #expect(monitor.status.abandoned.map(\.order) == [order] && monitor.status.lastSuccess == WebhookFixture.start)
        #expect(week.status.abandoned.map(\.order) == [order, order, order] && week.status.pending == 0)
        #expect(week.status.pendingSince == nil && week.status.lastSuccess == WebhookFixture.start)
    }

    @Test func `The state counts what waits and names the failure until an attempt succeeds`() async throws {
        let fixture = try await WebhookFixture()
        let monitor = WebhookMonitor(url: "")
        try await fixture.run(monitor: monitor, url: ScriptedServer.unreachableURL()) {
            try await fixture.warnings.wait { $0 > 0 }
        }
        let failing = monitor.status

        let working = WebhookMonitor(url: "")
        try await fixture.run(monitor: working) { try await fixture.journal.wait { $0.entries.isEmpty } }

        #expect(failing.pending == 1 && failing.failure?.reason.contains("cannot reach") == true)
        #expect(failing.pendingSince == WebhookFixture.start && failing.failure?.cause == .unreachable && failing.lastSuccess == nil)
        #expect(working.status.failure == nil)
    }

    @Test func `The state names the status of a refusing answer`() async throws {
        let fixture = try await WebhookFixture { _, _ in
            [.send("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")]
        }
        let monitor = WebhookMonitor(url: "")

        try await fixture.run(monitor: monitor) { try await fixture.warnings.wait { $0 > 0 } }

        #expect(monitor.status.failure?.cause == .status(500) && monitor.status.failure?.since == WebhookFixture.start)
    }

    @Test func `More changes than the outbox holds are sent in their order`() async throws {
        let fixture = try await WebhookFixture()
        var orders: [Int] = []
        for _ in 1...400 { orders.append(try await fixture.createOrder()) }
        let start = try await fixture.sender()
        _ = start
        for order in orders { try await fixture.claimAndRelease(order) }
        for order in orders { try await fixture.claimAndRelease(order) }

        try await fixture.run { try await fixture.wait(forIDs: 1_601) }

        for order in orders { #expect(fixture.events.filter { $0.order == order }.map(\.number) == [2, 3, 4, 5]) }
    }
}
