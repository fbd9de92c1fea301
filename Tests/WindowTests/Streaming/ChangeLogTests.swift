import Orders
import Testing

@testable import Window

/// Changes that a reconnecting stream has missed.
@Suite struct ChangeLogTests {
    private var log = ChangeLog<OrderID>()

    @Test mutating func `Changes after an event contain each row once`() {
        log.record([1, 2])
        log.recordScreenChange()
        log.record([2, 3])

        let all = log.changes(after: 0)
        #expect(all?.rows.sorted() == [1, 2, 3])
        #expect(all?.isScreenChanged == true)
        #expect(all?.id == 3)

        let last = log.changes(after: 2)
        #expect(last?.rows.sorted() == [2, 3])
        #expect(last?.isScreenChanged == false)
    }

    @Test mutating func `No changes follow the last event`() {
        log.record([1])

        #expect(log.changes(after: 1)?.rows == [])
    }

    @Test mutating func `An unknown event id requires a full update`() {
        log.record([1])

        #expect(log.changes(after: -1) == nil)
        #expect(log.changes(after: 2) == nil)
    }

    @Test mutating func `An empty set of rows is not recorded`() {
        log.record([])

        #expect(log.lastID == 0)
    }

    @Test mutating func `The rows of the last event are retained, however many there are`() {
        log.record([OrderID(4_000)])
        log.record((1...2_000).map { OrderID($0) })

        #expect(log.changes(after: 0) == nil)
        #expect(log.changes(after: 1)?.rows.count == 2_000)
        log.record([OrderID(3_000)])
        #expect(log.changes(after: 2)?.rows == [OrderID(3_000)])
    }

    @Test mutating func `All rows that a page observes are retained, with a few changes after them`() {
        log.record((1...1_126).map { OrderID($0) })
        for row in 1...100 { log.record([OrderID(row)]) }

        #expect(log.changes(after: 0)?.rows.count == 1_126)
    }

    @Test mutating func `The log is bounded, and a reader behind it requires a full update`() {
        for row in 1...10_000 { log.record([OrderID(row)]) }

        #expect(log.changes(after: 0) == nil)
        let changes = log.changes(after: 9_990)
        #expect(changes?.rows.count == 10)
        let rows = Mirror(reflecting: log).descendant("rowsChangedAt") as? [OrderID: Int]
        #expect(rows.map { $0.count <= ChangeLog<OrderID>.rowLimit } == true)
    }
}
