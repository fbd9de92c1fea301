import NIOCore
import Orders
import Testing

@testable import Window

@Suite struct EventBufferTests {
    private let mailbox = EventBuffer<OrderID>()

    @Test func `A reader waits for the next change`() async {
        let reader = mailbox.registerReader()
        async let delivery = mailbox.next(after: 0, reader: reader)

        mailbox.record { $0.record([7]) }

        #expect(await delivery.changes?.rows == [7])
    }

    @Test func `Changes recorded before a reader are delivered at once`() async {
        mailbox.record { $0.recordScreenChange() }
        mailbox.record { $0.record([7]) }

        let all = await mailbox.next(after: 0, reader: mailbox.registerReader()).changes
        #expect(all?.isScreenChanged == true)
        #expect(all?.id == 2)
        #expect(await mailbox.next(after: 1, reader: mailbox.registerReader()).changes?.isScreenChanged == false)
    }

    @Test func `A new reader ends the previous one`() async {
        let earlier = mailbox.registerReader()
        async let delivery = mailbox.next(after: 0, reader: earlier)

        _ = mailbox.registerReader()

        #expect(await delivery.isEnd)
        #expect(await mailbox.next(after: 0, reader: earlier).isEnd)
    }

    @Test func `Closing ends the reader, now and later`() async {
        let reader = mailbox.registerReader()
        mailbox.record { $0.recordScreenChange() }

        mailbox.close()

        #expect(await mailbox.next(after: 0, reader: reader).isEnd)
    }

    @Test func `A cancelled reader is resumed`() async {
        let reader = mailbox.registerReader()
        let task = Task { await mailbox.next(after: 0, reader: reader) }

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
