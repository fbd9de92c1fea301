import NIOCore
import Orders
import Testing

@testable import Window

@Suite struct EventMailboxTests {
    private let mailbox = EventMailbox<OrderID>()

    @Test func `A reader waits for the next change`() async {
        let reader = mailbox.admitReader()
        async let delivery = mailbox.next(after: 0, reader: reader)

        mailbox.note { $0.note([7]) }

        #expect(await delivery.changes?.rows == [7])
    }

    @Test func `What came before the reader is there at once`() async {
        mailbox.note { $0.noteScreen() }
        mailbox.note { $0.note([7]) }

        let all = await mailbox.next(after: 0, reader: mailbox.admitReader()).changes
        #expect(all?.isScreenChanged == true)
        #expect(all?.id == 2)
        #expect(await mailbox.next(after: 1, reader: mailbox.admitReader()).changes?.isScreenChanged == false)
    }

    @Test func `A new reader shows the earlier one out`() async {
        let earlier = mailbox.admitReader()
        async let delivery = mailbox.next(after: 0, reader: earlier)

        _ = mailbox.admitReader()

        #expect(await delivery.isEnd)
        #expect(await mailbox.next(after: 0, reader: earlier).isEnd)
    }

    @Test func `Closing ends the reader, now and later`() async {
        let reader = mailbox.admitReader()
        mailbox.note { $0.noteScreen() }

        mailbox.close()

        #expect(await mailbox.next(after: 0, reader: reader).isEnd)
    }

    @Test func `A reader whose task is cancelled is let go`() async {
        let reader = mailbox.admitReader()
        let task = Task { await mailbox.next(after: 0, reader: reader) }

        task.cancel()

        #expect(await task.value.isEnd)
    }

    @Test func `Of the events that bring a page up to date the last carries the id`() {
        let events = [WindowEvent(name: "list", data: "{}"), WindowEvent(name: "rows", data: "[]")]

        #expect(String(buffer: events.stream(endingAt: 9)) == "event: list\ndata: {}\n\nid: 9\nevent: rows\ndata: []\n\n")
    }
}

extension EventMailbox<OrderID>.News {
    fileprivate var isEnd: Bool {
        if case .end = self { true } else { false }
    }

    fileprivate var changes: ChangeLog<OrderID>.Changes? {
        if case .changes(let changes) = self { changes } else { nil }
    }
}
