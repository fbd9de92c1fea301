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
        /// - Parameter anchor: A row in view that still exists, and the distance it has moved; nil when there is none.
        case replaced(anchor: (id: Row.ID, by: Int)?)
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
        let earlier = snapshot
        snapshot = latest
        indices = Dictionary(
            zip(latest.records.lazy.map(\.row.id), latest.indices), uniquingKeysWith: { first, _ in first })
        defer { isLoaded = true }
        guard isLoaded, !isOtherQuery, earlier.count > 0 else { return .replaced(anchor: nil) }
        let shared = earlier.indices.clamped(to: latest.indices)
        let isInOrder = latest.count >= earlier.count && shared.allSatisfy { earlier[$0]?.row.id == latest[$0]?.row.id }
        // Without shared indices, the page's rows may have moved as well.
        guard isInOrder, !shared.isEmpty || latest.count == earlier.count else { return .replaced(anchor: anchor(in: earlier, visible)) }
        let changed = shared.filter { !earlier.records[$0 - earlier.start].hasSameContent(as: latest.records[$0 - latest.start]) }
            .map { latest.records[$0 - latest.start].row.id }
        return .same(changed: changed, isCountChanged: latest.count != earlier.count)
    }

    private func anchor(in earlier: Snapshot, _ visible: Range<Int>) -> (id: Row.ID, by: Int)? {
        // A page may report more rows in view than the list has.
        for earlierIndex in visible.clamped(to: earlier.indices) {
            if let id = earlier[earlierIndex]?.row.id, let index = indices[id] { return (id, index - earlierIndex) }
        }
        return nil
    }
}

extension StoredRecord where Row: Equatable {
    /// Whether both records look the same on a page.
    fileprivate func hasSameContent(as other: StoredRecord) -> Bool { row == other.row && localChanges == other.localChanges }
}
