import LadingFeeds

/// The part of a stored list that a page is told about, and what becomes of the page when it is read anew. A synchronous value.
///
/// | what was read | is |
/// |---|---|
/// | the same rows in the same places, perhaps more behind them | the same list |
/// | other rows in places that are known, or fewer rows | another list; the reader stays at the first row in view that is still there |
/// | rows for another query | another list; where the reader is in it, the screen decides |
struct StoredRows<Row: Recordable & Equatable>: Sendable {
    /// Rows as they were read: those from an index on, and how many there are in all.
    struct Snapshot: Sendable {
        var start: Int
        var records: [StoredRecord<Row>]
        var count: Int

        var indices: Range<Int> { start..<start + records.count }

        subscript(index: Int) -> StoredRecord<Row>? { indices.contains(index) ? records[index - start] : nil }
    }

    enum Change: Sendable {
        /// - Parameters:
        ///   - changed: The rows whose content is another now.
        ///   - isCountChanged: Whether rows have come behind the last one.
        case same(changed: [Row.ID], isCountChanged: Bool)
        /// - Parameter row: A row in view that is still there, and by how much it has moved; nil when there is none.
        case replaced(anchor: (id: Row.ID, by: Int)?)
    }

    private(set) var snapshot = Snapshot(start: 0, records: [], count: 0)
    /// Whether anything was ever read.
    private(set) var isLoaded = false
    private var indices: [Row.ID: Int] = [:]

    var count: Int { snapshot.count }

    func index(of id: Row.ID) -> Int? { indices[id] }

    /// The records that are known of some places.
    func records(in places: Range<Int>) -> ArraySlice<StoredRecord<Row>> {
        let known = places.clamped(to: snapshot.indices)
        return snapshot.records[known.lowerBound - snapshot.start..<known.upperBound - snapshot.start]
    }

    /// Takes what was read.
    ///
    /// - Parameters:
    ///   - visible: The indices in view.
    ///   - isOtherQuery: Whether it answers another question than before.
    mutating func update(to latest: Snapshot, visible: Range<Int>, isOtherQuery: Bool) -> Change {
        let earlier = snapshot
        snapshot = latest
        indices = Dictionary(
            zip(latest.records.lazy.map(\.row.id), latest.indices), uniquingKeysWith: { first, _ in first })
        defer { isLoaded = true }
        guard isLoaded, !isOtherQuery, earlier.count > 0 else { return .replaced(anchor: nil) }
        let shared = earlier.indices.clamped(to: latest.indices)
        let isInOrder = latest.count >= earlier.count && shared.allSatisfy { earlier[$0]?.row.id == latest[$0]?.row.id }
        // Where nothing can be compared, the rows that the page has may have moved as well.
        guard isInOrder, !shared.isEmpty || latest.count == earlier.count else { return .replaced(anchor: anchor(in: earlier, visible)) }
        let changed = shared.filter { !earlier.records[$0 - earlier.start].hasSameContent(as: latest.records[$0 - latest.start]) }
            .map { latest.records[$0 - latest.start].row.id }
        return .same(changed: changed, isCountChanged: latest.count != earlier.count)
    }

    private func anchor(in earlier: Snapshot, _ visible: Range<Int>) -> (id: Row.ID, by: Int)? {
        for earlierIndex in visible {
            if let id = earlier[earlierIndex]?.row.id, let index = indices[id] { return (id, index - earlierIndex) }
        }
        return nil
    }
}

extension StoredRecord where Row: Equatable {
    /// Whether a page shows the same of both.
    fileprivate func hasSameContent(as other: StoredRecord) -> Bool { row == other.row && localChanges == other.localChanges }
}
