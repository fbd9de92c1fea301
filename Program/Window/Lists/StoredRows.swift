import LadingRecords

/// The loaded part of a stored list, and the effect of reading it again on the page. A synchronous value.
///
/// | read rows | list |
/// |---|---|
/// | the same rows at the same indices, perhaps followed by more | the same list |
/// | different rows at known indices, or fewer rows | another list, positioned at the first row in view that still exists |
/// | the rows of another query | another list, positioned by the screen |
struct StoredRows<Row: PersistableRow & Equatable>: Sendable {
    /// The rows read from an index on, and the total number of rows.
    struct Snapshot: Sendable {
        var start: Int
        var records: [StoredRecord<Row>]
        var count: Int

        var indices: Range<Int> { start..<start + records.count }

        subscript(index: Int) -> StoredRecord<Row>? { indices.contains(index) ? records[index - start] : nil }
    }

    enum Change: Sendable {
        /// The same rows, of which some have changed.
        ///
        /// - Parameters:
        ///   - changed: The rows whose content has changed.
        ///   - isCountChanged: Whether rows were added at the end.
        case same(changed: [Row.ID], isCountChanged: Bool)
        /// Other rows, or the same rows in another order.
        ///
        /// - Parameter anchor: A row in view that still exists; nil when there is none.
        case replaced(anchor: Anchor?)
    }

    /// A row in view that still exists in a replaced list.
    struct Anchor: Sendable {
        let id: Row.ID
        /// The distance that it has moved, in rows.
        let by: Int
        /// The number of rows before it that were not loaded before, as far as both lists are loaded.
        let newRowCount: Int
    }

    private(set) var snapshot = Snapshot(start: 0, records: [], count: 0)
    /// Whether anything was ever read.
    private(set) var isLoaded = false
    private var indices: [Row.ID: Int] = [:]

    var count: Int { snapshot.count }

    func index(of id: Row.ID) -> Int? { indices[id] }

    /// Returns the loaded records in a range of indices.
    func records(in places: Range<Int>) -> ArraySlice<StoredRecord<Row>> {
        let known = places.clamped(to: snapshot.indices)
        return snapshot.records[known.lowerBound - snapshot.start..<known.upperBound - snapshot.start]
    }

    /// Applies the rows that were read.
    ///
    /// - Parameters:
    ///   - visible: The indices in view.
    ///   - isOtherQuery: Whether the query has changed.
    mutating func update(to latest: Snapshot, visible: Range<Int>, isOtherQuery: Bool) -> Change {
        let (earlier, known) = (snapshot, indices)
        snapshot = latest
        indices = Dictionary(
            zip(latest.records.lazy.map(\.row.id), latest.indices), uniquingKeysWith: { first, _ in first })
        defer { isLoaded = true }
        guard isLoaded, !isOtherQuery, earlier.count > 0 else { return .replaced(anchor: nil) }
        let shared = earlier.indices.clamped(to: latest.indices)
        let isInOrder = latest.count >= earlier.count && shared.allSatisfy { earlier[$0]?.row.id == latest[$0]?.row.id }
        // Without shared indices, the page's rows may have moved as well.
        guard isInOrder, !shared.isEmpty || latest.count == earlier.count else {
            return .replaced(anchor: anchor(in: earlier, known, visible))
        }
        let changed = shared.filter { !earlier.records[$0 - earlier.start].hasSameContent(as: latest.records[$0 - latest.start]) }
            .map { latest.records[$0 - latest.start].row.id }
        return .same(changed: changed, isCountChanged: latest.count != earlier.count)
    }

    /// Returns whether the first row in view is missing from rows that were read, whose row at its index is another one.
    func isFirstRow(in visible: Range<Int>, missingFrom latest: Snapshot) -> Bool {
        let first = max(visible.lowerBound, snapshot.start)
        guard visible.contains(first), let id = snapshot[first]?.row.id, let other = latest[first], other.row.id != id else { return false }
        return !latest.records.contains { $0.row.id == id }
    }

    /// - Parameter known: The rows of the earlier list.
    private func anchor(in earlier: Snapshot, _ known: [Row.ID: Int], _ visible: Range<Int>) -> Anchor? {
        // A page may report more rows in view than the list has.
        for earlierIndex in visible.clamped(to: earlier.indices) {
            guard let id = earlier[earlierIndex]?.row.id, let index = indices[id] else { continue }
            let start = max(earlier.start, snapshot.start)
            let newRowCount = records(in: min(start, index)..<index).count { known[$0.row.id] == nil }
            return Anchor(id: id, by: index - earlierIndex, newRowCount: newRowCount)
        }
        return nil
    }
}

extension StoredRecord where Row: Equatable {
    /// Whether both records look the same on a page.
    fileprivate func hasSameContent(as other: StoredRecord) -> Bool { row == other.row && localChanges == other.localChanges }
}
