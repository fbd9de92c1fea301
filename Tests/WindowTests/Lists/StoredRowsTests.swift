import Deliveries
import Foundation
import LadingRecords
import Testing
@testable import Window

/// Effects of new reads on a page, as tables.
@Suite struct StoredRowsTests {
    private typealias Rows = StoredRows<Delivery>
    private var rows = Rows()

    private func record(_ name: Substring, at place: Int) -> StoredRecord<Delivery> {
        // A name consists of the id and, after a dot, the title.
        let parts = name.split(separator: ".")
        let delivery = Delivery(id: DeliveryID(String(parts[0])), title: parts.count > 1 ? String(parts[1]) : "")
        return StoredRecord(delivery, place: place, generation: 1, storedAt: Date(timeIntervalSince1970: 0))
    }

    /// Returns a snapshot of rows.
    ///
    /// - Parameters:
    ///   - names: The names of the rows, separated by spaces.
    ///   - start: The index of the first row.
    private func snapshot(_ names: String, from start: Int = 0, of count: Int? = nil) -> Rows.Snapshot {
        let records = names.split(separator: " ").enumerated().map { record($1, at: start + $0) }
        return Rows.Snapshot(start: start, records: records, count: count ?? start + records.count)
    }

    /// Returns the change as text: the changed rows, with a plus when there are more rows, or the anchor and its movement.
    private mutating func change(_ reading: Rows.Snapshot, visible: Range<Int> = 0..<3, isOtherQuery: Bool = false) -> String {
        switch rows.update(to: reading, visible: visible, isOtherQuery: isOtherQuery) {
        case .same(let changed, let isCountChanged): "same" + changed.map { " \($0)" }.joined() + (isCountChanged ? " +" : "")
        case .replaced(let row?): "other, \(row.id) by \(row.by)"
        case .replaced(nil): "other"
        }
    }

    @Test mutating func `The first rows, and the first rows of an empty list, replace the list`() {
        #expect(change(snapshot("")) == "other")
        #expect(change(snapshot("a b c")) == "other")
    }

    @Test(arguments: [
        ("a b c", "same"), ("a b c d", "same +"), ("a b.new c", "same b"), ("a b.new c d", "same b +"),
        ("x a b c", "other, a by 1"), ("b c a", "other, a by 2"), ("c x y", "other, c by -2"), ("x y z", "other"), ("a b", "other, a by 0"),
    ])
    mutating func `New rows update or replace the list`(names: String, expected: String) {
        _ = change(snapshot("a b c"))

        #expect(change(snapshot(names)) == expected)
    }

    /// Returns the number of new rows before the anchor of a replaced list; nil if it is the same list.
    private mutating func newRowCount(_ reading: Rows.Snapshot, visible: Range<Int>) -> Int? {
        guard case .replaced(let anchor) = rows.update(to: reading, visible: visible, isOtherQuery: false) else { return nil }
        return anchor?.newRowCount
    }

    @Test(arguments: [("x y a b c", 2), ("c a b", 0), ("x c a b", 1), ("b c", 0)])
    mutating func `Rows before the anchor are new unless they were known`(names: String, count: Int) {
        _ = change(snapshot("a b c"))

        #expect(newRowCount(snapshot(names), visible: 0..<3) == count)
    }

    @Test mutating func `Rows before the first known one are not new`() {
        _ = change(snapshot("d e f", from: 3, of: 100))

        #expect(newRowCount(snapshot("w x d e f", from: 2, of: 101), visible: 3..<6) == 1)
    }

    @Test(arguments: [("x b c", true), ("b a c", false), ("a x c", false), ("a", false), ("", false)])
    mutating func `The first row in view is missing if another is in its place and it is in none`(names: String, isMissing: Bool) {
        _ = change(snapshot("a b c"))

        #expect(rows.isFirstRow(in: 0..<3, missingFrom: snapshot(names)) == isMissing)
    }

    @Test mutating func `A row is not missing outside of the view and of the rows that were read`() {
        _ = change(snapshot("a b c", from: 10, of: 20))

        #expect(rows.isFirstRow(in: 9..<12, missingFrom: snapshot("x y z", from: 9, of: 20)))
        #expect(!rows.isFirstRow(in: 11..<13, missingFrom: snapshot("x", from: 10, of: 20)))
        #expect(!rows.isFirstRow(in: 0..<5, missingFrom: snapshot("x y z", from: 10, of: 20)))
        #expect(!rows.isFirstRow(in: 15..<19, missingFrom: snapshot("x y z", from: 10, of: 20)))
    }

    @Test mutating func `Only rows in both snapshots are compared`() {
        _ = change(snapshot("a b c d e f", of: 100))

        #expect(change(snapshot("d.new e f g h i", from: 3, of: 100), visible: 3..<6) == "same d")
        #expect(change(snapshot("n o p", from: 50, of: 100), visible: 50..<53) == "same")
        #expect(change(snapshot("n o p", from: 51, of: 101), visible: 50..<53) == "other, n by 1")
    }

    @Test mutating func `A snapshot without common rows and with another count replaces the list`() {
        _ = change(snapshot("a b c", of: 100))

        #expect(change(snapshot("n o p", from: 50, of: 101), visible: 50..<53) == "other")
    }

    @Test(.timeLimit(.minutes(10)))
    mutating func `A viewport that is far longer than the list moves to its first row that still exists`() {
        let visible = 1..<(1 << 40)
        _ = change(snapshot("a b c d", from: 10, of: 100))

        #expect(change(snapshot("x c d", from: 11, of: 99), visible: visible) == "other, c by 0")
        #expect(change(snapshot("e f g", from: 11, of: 98), visible: visible) == "other")
    }

    @Test mutating func `The same rows for another query replace the list`() {
        _ = change(snapshot("a b c"))

        #expect(change(snapshot("a b c"), isOtherQuery: true) == "other")
    }

    @Test mutating func `Loaded rows are found by index and by identity`() {
        _ = change(snapshot("a b c", from: 10, of: 20))

        #expect(rows.index(of: "b") == 11)
        #expect(rows.index(of: "x") == nil)
        #expect(rows.snapshot[12]?.row.id == "c")
        #expect(rows.snapshot[13] == nil)
        #expect(rows.records(in: 0..<12).map(\.row.id) == ["a", "b"])
        #expect(rows.records(in: 0..<5).isEmpty)
    }
}
