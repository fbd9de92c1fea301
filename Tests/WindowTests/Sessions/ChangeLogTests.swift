import Orders
import Testing

@testable import Window

/// What a stream that comes back has missed, as tables.
@Suite struct ChangeLogTests {
    private var log = ChangeLog<OrderID>()

    @Test mutating func `A reader learns what changed after its last event, each row once`() {
        log.note([1, 2])
        log.noteScreen()
        log.note([2, 3])

        let all = log.changes(after: 0)
        #expect(all?.rows.sorted() == [1, 2, 3])
        #expect(all?.isScreenChanged == true)
        #expect(all?.id == 3)

        let last = log.changes(after: 2)
        #expect(last?.rows.sorted() == [2, 3])
        #expect(last?.isScreenChanged == false)
    }

    @Test mutating func `A reader that has everything has nothing to learn`() {
        log.note([1])

        #expect(log.changes(after: 1)?.rows == [])
    }

    @Test mutating func `A reader without a last event or from the future needs everything anew`() {
        log.note([1])

        #expect(log.changes(after: -1) == nil)
        #expect(log.changes(after: 2) == nil)
    }

    @Test mutating func `Nothing that changes is no event`() {
        log.note([])

        #expect(log.lastID == 0)
    }

    @Test mutating func `However much changes while nobody reads, little is kept, and who missed more gets everything anew`() {
        for row in 1...10_000 { log.note([OrderID(row)]) }

        #expect(log.changes(after: 0) == nil)
        let kept = log.changes(after: 9_990)
        #expect(kept?.rows.count == 10)
        #expect(Mirror(reflecting: log).descendant("rowsChangedAt").map { "\($0)".count < 40_000 } == true)
    }
}
