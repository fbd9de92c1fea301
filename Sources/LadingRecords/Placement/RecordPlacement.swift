package import TextComparison

/// The changes of a stored list for a page that was fetched: the place of each row, and the places that are emptied.
///
/// The rows of a page belong at consecutive places. A row may be stored elsewhere, because rows move on the server between two requests:
/// - If the same refresh has stored it outside of the page, it keeps that place and gets the new content; its place in the page stays empty.
/// - Otherwise, and from a place after the end of the list, it moves to its place in the page.
/// - All other rows at the places of the page are removed.
package struct RecordPlacement: Equatable, Sendable {
    /// A row that is already stored.
    package struct ExistingRow: Equatable, Sendable {
        package var place: Int
        package var generation: Int

        package init(place: Int, generation: Int) {
            self.place = place
            self.generation = generation
        }
    }

    /// A row of the page, by its index, with its place.
    package struct Write: Equatable, Sendable {
        package var index: Int
        package var place: Int

        package init(_ index: Int, at place: Int) {
            self.index = index
            self.place = place
        }
    }

    /// The places that are emptied before rows are written, in the page and elsewhere.
    package private(set) var removed: Set<Int> = []
    /// The stored rows that keep their place and get new content.
    package private(set) var updated: [Write] = []
    /// The rows that are written to a place that is empty or was emptied: new and moved ones.
    package private(set) var inserted: [Write] = []

    /// Places the rows of a page.
    ///
    /// - Parameters:
    ///   - ids: The identities of the rows of the page, in order. A repeated one counts at its first position, with its last content.
    ///   - places: The places of the page.
    ///   - generation: The number of the refresh that the page belongs to.
    ///   - isEnd: Whether the list ends after the page.
    ///   - occupied: The places of the page that have rows.
    ///   - existing: The rows of the page that are stored, at any place.
    package init(
        _ ids: [String], in places: Range<Int>, generation: Int, isEnd: Bool, occupied: Set<Int>, existing: [BytewiseText: ExistingRow]
    ) {
        removed = occupied
        let ids = ids.map(BytewiseText.init)
        for (slot, index) in Self.distinct(ids) {
            let place = places.lowerBound + slot
            guard let row = existing[ids[index]] else {
                inserted.append(Write(index, at: place))
                continue
            }
            // All places after the end are emptied.
            let isOutside = row.place < places.lowerBound || row.place >= places.upperBound && !isEnd
            if row.place == place || (row.generation == generation && isOutside) {
                removed.remove(row.place)
                updated.append(Write(index, at: row.place))
            } else {
                removed.insert(row.place)
                inserted.append(Write(index, at: place))
            }
        }
    }

    /// Returns each identity once: its first index, as the slot in the page, and its last index, as that of the content.
    private static func distinct(_ ids: [BytewiseText]) -> [(slot: Int, index: Int)] {
        let last = Dictionary(zip(ids, ids.indices), uniquingKeysWith: { $1 })
        var seen: Set<BytewiseText> = []
        return ids.enumerated().compactMap { slot, id in
            guard seen.insert(id).inserted, let index = last[id] else { return nil }
            return (slot, index)
        }
    }
}
