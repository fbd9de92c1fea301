/// Where the rows of a page go, and which rows make way. A synchronous value.
///
/// - A row that was stored elsewhere by the same refresh stays there, and gets its newest content; its slot in the page stays empty.
/// - A row that an older refresh has stored elsewhere moves to where the page has it.
/// - Whatever else lay in the places of the page makes way.
package struct RecordPlacement: Equatable, Sendable {
    /// A row that was stored before.
    package struct ExistingRow: Equatable, Sendable {
        package var place: Int
        package var generation: Int

        package init(place: Int, generation: Int) {
            self.place = place
            self.generation = generation
        }
    }

    /// A row of the page, by its index there, and its place.
    package struct Write: Equatable, Sendable {
        package var index: Int
        package var place: Int

        package init(_ index: Int, at place: Int) {
            self.index = index
            self.place = place
        }
    }

    /// The places that become empty before anything is written.
    package private(set) var removed: Set<Int> = []
    /// Rows that were there already, and keep their place.
    package private(set) var updated: [Write] = []
    /// Rows that come to a place that is empty by then.
    package private(set) var inserted: [Write] = []

    /// - Parameters:
    ///   - ids: Of the rows of the page.
    ///   - occupants: Whoever lies in the places of the page.
    ///   - known: Those rows of the page that are stored, wherever.
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

    /// Each identity once: the first slot that it has, and the last content.
    private static func distinct(_ ids: [String]) -> [(slot: Int, index: Int)] {
        let last = Dictionary(zip(ids, ids.indices), uniquingKeysWith: { $1 })
        var seen: Set<String> = []
        return ids.enumerated().compactMap { slot, id in
            guard seen.insert(id).inserted, let index = last[id] else { return nil }
            return (slot, index)
        }
    }
}
