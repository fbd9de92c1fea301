import Testing

@testable import Window

@Suite struct EventMailboxTests {
    private let mailbox = EventMailbox()

    @Test func `A reader waits for the next event`() async {
        let reader = mailbox.admitReader()
        async let delivery = mailbox.next(after: 0, reader: reader)

        mailbox.append("list", data: "{}")

        #expect(await delivery.ids == [1])
    }

    @Test func `What came before the reader is there at once`() async {
        mailbox.append("list", data: "{}")
        mailbox.append("rows", data: "{}")

        #expect(await mailbox.next(after: 0, reader: mailbox.admitReader()).ids == [1, 2])
        #expect(await mailbox.next(after: 1, reader: mailbox.admitReader()).ids == [2])
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
        mailbox.append("list", data: "{}")

        mailbox.close()

        #expect(await mailbox.next(after: 0, reader: reader).isEnd)
    }

    @Test func `A reader whose task is cancelled is let go`() async {
        let reader = mailbox.admitReader()
        let task = Task { await mailbox.next(after: 0, reader: reader) }

        task.cancel()

        #expect(await task.value.isEnd)
        #expect(!mailbox.hasReader)
    }
}

extension EventMailbox.Delivery {
    fileprivate var isEnd: Bool {
        if case .end = self { true } else { false }
    }

    fileprivate var ids: [Int]? {
        if case .events(let events) = self { events.map(\.id) } else { nil }
    }
}
