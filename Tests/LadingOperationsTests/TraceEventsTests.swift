import Foundation
import LadingTesting
import Testing

@testable import LadingOperations

@Suite struct TraceEventsTests {
    private struct Event: Decodable, Equatable {
        let ph: String
        let name: String
        let pid: Int
        var id: Int?
        var ts: Int?
    }

    private struct Broken: Error {}

    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let queue: BackendQueue

    init() {
        queue = BackendQueue(clock: clock, executor: executor)
    }

    private func events(_ text: String) throws -> [Event] {
        try JSONDecoder().decode([Event].self, from: Data((text + "]").utf8))
    }

    @Test func `A flight is a track in the process of its lane`() throws {
        queue.pause(.lane(.disk))
        queue.submit(BackendOperation("read \"a\"\n", lane: .disk) { 1 }, priority: .visible)
        clock.advance(by: .milliseconds(2))
        queue.resume(.lane(.disk))
        executor.runAll()

        var trace = TraceEvents()
        let events = try events(TraceEvents.opening + trace.text(of: queue.trace()))

        #expect(events.map(\.ph) == ["M", "b", "b", "n", "e", "e"])
        #expect(events.map(\.name) == ["process_name", "read \"a\"\n", "running", "succeeded", "running", "read \"a\"\n"])
        #expect(Set(events.map(\.pid)) == [1])
        #expect(events.compactMap(\.ts) == [0, 2_000, 2_000, 2_000, 2_000])
    }

    @Test func `Times are whole microseconds since the queue was created, rounded down`() throws {
        clock.advance(by: Duration(secondsComponent: 1, attosecondsComponent: 999_999_999_999_999_999))
        queue.submit(BackendOperation("read", lane: .disk) { 1 }, priority: .visible)
        executor.runAll()

        var trace = TraceEvents()
        let events = try events(TraceEvents.opening + trace.text(of: queue.trace()))

        #expect(Set(events.compactMap(\.ts)) == [1_999_999])
    }

    @Test func `A track ends with its last waiter, and earlier events are not repeated`() throws {
        let key = OperationKey(verb: "GET", subject: "x")
        let gate = Gate()
        let operations = (0..<2).map { _ in
            BackendOperation<Int>("get", key: key, lane: .cpu) {
                try await gate.wait(); throw Broken()
            }
        }
        for operation in operations { queue.submit(operation, priority: .visible) }
        executor.runAll()
        operations[0].cancel()

        var trace = TraceEvents()
        var text = TraceEvents.opening + trace.text(of: queue.trace())
        gate.open()
        executor.runAll()
        text += trace.text(of: queue.trace())
        text += trace.text(of: queue.trace())

        let names = try events(text).map(\.name)
        #expect(names == ["process_name", "get", "running", "joined", "cancelled", "failed", "running", "get"])
    }

    @Test func `Tracks of several flights end independently`() throws {
        let download = BackendOperation("download", lane: .network("example.org")) { 1 }
        queue.submit(BackendOperation("parse", lane: .cpu, after: download) { $0 + 1 }, priority: .visible)
        executor.runAll()

        var trace = TraceEvents()
        let events = try events(TraceEvents.opening + trace.text(of: queue.trace()))

        let ends = events.filter { $0.ph == "e" && $0.name != "running" }.map(\.name)
        #expect(ends == ["download", "parse"])
        #expect(events.filter { $0.name == "download" }.map(\.id) == [1, 1])
    }

    @Test func `A decision without a flight is an instant event of its lane`() throws {
        queue.submit(BackendOperation("read", lane: .cpu) { 1 }, priority: .visible)
        queue.recordCacheHits(["Row 7"], for: queue.makeConsumer())
        executor.runAll()

        var trace = TraceEvents()
        let events = try events(TraceEvents.opening + trace.text(of: queue.trace()))

        #expect(queue.trace().map(\.description).contains("Row 7: cacheHit in memory, visible 0, consumer 1 (reason 4)"))
        #expect(queue.trace().map(\.number) == Array(0..<4))
        #expect(events.filter { $0.name == "Row 7" }.map(\.ph) == ["i"])
        #expect(events.count { $0.ph == "b" } == events.count { $0.ph == "e" })
    }

    @Test func `Decisions dropped from the ring are reported as missing`() throws {
        let queue = BackendQueue(recordLimit: 3, executor: executor)
        for index in 0..<4 { queue.submit(BackendOperation("\(index)", lane: .cpu) { index }, priority: .visible) }
        executor.runAll()

        var trace = TraceEvents()
        let events = try events(TraceEvents.opening + trace.text(of: queue.trace()))

        #expect(events.first?.name.hasSuffix("decisions are missing") == true)
    }
}
