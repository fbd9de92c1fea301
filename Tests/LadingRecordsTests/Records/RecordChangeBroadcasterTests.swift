import LadingRecords
import Testing

@Suite(.timeLimit(.minutes(10))) struct RecordChangeBroadcasterTests {
    private func change(of id: Int) -> RecordChange<Int> {
        var change = RecordChange<Int>()
        change.rows = [id]
        return change
    }

    @Test func `Subscriptions end after the changes that were sent before the end, and later ones have ended`() async {
        let broadcaster = RecordChangeBroadcaster<Int>()
        let earlier = broadcaster.changes()

        broadcaster.send(change(of: 1))
        broadcaster.finish()
        broadcaster.send(change(of: 2))
        let later = broadcaster.changes()

        let rows = await earlier.reduce(into: [Set<Int>?]()) { $0.append($1.rows) }
        #expect(rows == [[1]])
        for await _ in later { Issue.record("a change of a store that was closed") }
    }

    @Test(arguments: [[true, true], [true, false], [false, true]])
    func `Merged changes are local only if all of them are`(areLocal: [Bool]) async {
        let broadcaster = RecordChangeBroadcaster<Int>()
        let reader = broadcaster.changes().makeAsyncIterator()

        for (id, isLocal) in areLocal.enumerated() {
            var change = change(of: id)
            change.hasOnlyLocalChanges = isLocal
            broadcaster.send(change)
        }

        let merged = await reader.next()
        #expect(merged?.hasOnlyLocalChanges == !areLocal.contains(false))
        #expect(merged?.rows == [0, 1])
    }

    @Test func `Subscriptions end when the broadcaster is deallocated`() async throws {
        var broadcaster: RecordChangeBroadcaster<Int>? = RecordChangeBroadcaster()
        let changes = try #require(broadcaster?.changes())
        let reader = Task { for await _ in changes {} }

        broadcaster = nil

        await reader.value
    }
}
