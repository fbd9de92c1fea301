import Testing

@testable import Window

/// What a stream that comes back is sent, as tables.
@Suite struct EventLogTests {
    private func log(of count: Int, bytes: Int = 10) -> EventLog {
        var log = EventLog()
        for _ in 0..<count { log.append("rows", data: String(repeating: "x", count: bytes)) }
        return log
    }

    @Test func `An event has its id, its name and its data on lines of their own`() {
        var log = EventLog()
        log.append("rows", data: "{}")

        #expect(log.events(after: 0).texts == ["id: 1\nevent: rows\ndata: {}\n\n"])
    }

    @Test func `A reader gets what comes after its last event`() {
        #expect(log(of: 5).events(after: 3).ids == [4, 5])
        #expect(log(of: 5).events(after: 5).ids == [])
    }

    @Test func `A reader without a last event, from the future or from too long ago needs everything anew`() {
        #expect(log(of: 5).events(after: -1).ids == nil)
        #expect(log(of: 5).events(after: 6).ids == nil)
        #expect(log(of: EventLog.eventLimit + 2).events(after: 1).ids == nil)
        #expect(log(of: EventLog.eventLimit + 2).events(after: 2).ids?.count == EventLog.eventLimit)
    }

    @Test func `The log is bounded in bytes too, and keeps at least the last event`() {
        let log = log(of: 3, bytes: EventLog.byteLimit)

        #expect(log.events(after: 2).ids == [3])
        #expect(log.events(after: 1).ids == nil)
    }
}

extension EventLog.Continuation {
    fileprivate var texts: [String]? {
        if case .events(let events) = self { events.map(\.text) } else { nil }
    }

    fileprivate var ids: [Int]? {
        if case .events(let events) = self { events.map(\.id) } else { nil }
    }
}
