/// The places of the rows of a page, and the rows that the page removes. A synchronous value.
///
/// - A row that the same refresh has stored elsewhere keeps its place and gets the new content; its slot in the page stays empty.
/// - A row that an older refresh has stored elsewhere moves to its place in the page.
/// - All other rows in the places of the page are removed.
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

    /// The places that are emptied before rows are written.
    package private(set) var removed: Set<Int> = []
    /// Existing rows that keep their place.
    package private(set) var updated: [Write] = []
    /// The rows that are written to an empty place.
    package private(set) var inserted: [Write] = []

    /// Places the rows of a page.
    ///
    /// - Parameters:
    ///   - ids: The identities of the rows of the page.
    ///   - occupied: The places of the page that have rows.
    ///   - existing: The rows of the page that are stored, at any place.
    package init(_ ids: [String], in places: Range<Int>, generation: Int, occupied: Set<Int>, existing: [String: ExistingRow]) {
        removed = occupied
        for (slot, index) in Self.distinct(ids) {
            let place = places.lowerBound + slot
            guard let known = existing[ids[index]] else {
                inserted.append(Write(index, at: place))
                continue
            }
            if known.place == place || (known.generation == generation && !places.contains(known.place)) {
                removed.remove(known.place)
                updated.append(Write(index, at: known.place))
            } else {
                removed.insert(known.place)
                inserted.append(Write(index, at: place))
            }
        }
    }

    /// Returns each identity once, with its first slot and the index of its last content.
    private static func distinct(_ ids: [String]) -> [(slot: Int, index: Int)] {
        let last = Dictionary(zip(ids, ids.indices), uniquingKeysWith: { $1 })
        var seen: Set<String> = []
        return ids.enumerated().compactMap { slot, id in
            guard seen.insert(id).inserted, let index = last[id] else { return nil }
            return (slot, index)
        }
    }
}
