/// The content of one place of a list.
public enum PageSlot<Row: PersistableRow>: Sendable {
    case row(StoredRecord<Row>)
    /// A place whose row is expected.
    case placeholder(Int)
}

extension Pager {
    /// Returns the slots of some places, without empty places.
    package func slots(in places: Range<Int>) -> [PageSlot<Row>] {
        let end = loadedRanges.ranges.last?.places.upperBound ?? 0
        var known = records[...].drop { $0.place < places.lowerBound }
        return places.clamped(to: min(places.lowerBound, end)..<end).compactMap { place in
            if let record = known.first, record.place == place {
                known.removeFirst()
                return .row(record)
            }
            let isEmpty = bufferedRange.contains(place) && loadedRanges.ranges.contains { $0.places.contains(place) }
            return isEmpty ? nil : .placeholder(place)
        }
    }

    /// Whether the list is known to end after the last loaded range.
    ///
    /// The end that an older refresh has found may have changed. It counts only with a paging whose pages are found one after the other.
    package var isComplete: Bool {
        guard let last = loadedRanges.ranges.last, last.isEnd else { return false }
        return last.generation == loadedRanges.newestGeneration || paging.key(containing: last.places.upperBound) == nil
    }
}
