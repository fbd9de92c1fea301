import NIOCore
import Orders
import Testing

@testable import Window

@Suite struct EventBufferTests {
    private let buffer = EventBuffer<OrderID>()

    @Test func `A reader waits for the next change`() async {
        let reader = buffer.registerReader()
        async let delivery = buffer.next(after: 0, reader: reader)

        buffer.record { $0.record([7]) }

        #expect(await delivery.changes?.rows == [7])
    }

    @Test func `Changes recorded before a reader are delivered at once`() async {
        buffer.record { $0.recordScreenChange() }
        buffer.record { $0.record([7]) }

        let all = await buffer.next(after: 0, reader: buffer.registerReader()).changes
        #expect(all?.isScreenChanged == true)
        #expect(all?.id == 2)
        #expect(await buffer.next(after: 1, reader: buffer.registerReader()).changes?.isScreenChanged == false)
    }

    @Test func `A new reader ends the previous one`() async {
        let earlier = buffer.registerReader()
        async let delivery = buffer.next(after: 0, reader: earlier)

        _ = buffer.registerReader()

        #expect(await delivery.isEnd)
        #expect(await buffer.next(after: 0, reader: earlier).isEnd)
    }

    @Test func `Closing ends the reader, now and later`() async {
        let reader = buffer.registerReader()
        buffer.record { $0.recordScreenChange() }

        buffer.close()

        #expect(await buffer.next(after: 0, reader: reader).isEnd)
    }

    @Test func `A cancelled reader is resumed`() async {
        let reader = buffer.registerReader()
        let task = Task { await buffer.next(after: 0, reader: reader) }

        task.cancel()

        #expect(await task.value.isEnd)
    }

    @Test func `The last event of an update carries the id`() {
        let events = [WindowEvent(name: "list", data: "{}"), WindowEvent(name: "rows", data: "[]")]

        #expect(String(buffer: events.stream(endingAt: 9)) == "event: list\ndata: {}\n\nid: 9\nevent: rows\ndata: []\n\n")
    }
}

extension EventBuffer<OrderID>.ReadResult {
    fileprivate var isEnd: Bool {
        if case .end = self { true } else { false }
    }

    fileprivate var changes: ChangeLog<OrderID>.Changes? {
        if case .changes(let changes) = self { changes } else { nil }
    }
}
