import Foundation
import LadingRecords
import TextComparison

/// The rows of a store in memory.
struct RecordTable<Row: PersistableRow>: Sendable {
    private struct Entry: Sendable {
        var row: Row
        var generation: Int
        var stored: Date
    }

    private var entries: [Int: Entry] = [:]
    private(set) var loadedRanges = LoadedRangeSet()
    /// The places of rows by storage key.
    private(set) var places: [BytewiseText: Int] = [:]
    /// The local changes by storage key and name.
    var changes: [BytewiseText: [String: Data]] = [:]
    /// The error that writes throw.
    var failure: (any Error)?

    /// The places with a row, in order.
    var occupied: [Int] { entries.keys.sorted() }

    mutating func removeAll() {
        (entries, places, loadedRanges) = ([:], [:], LoadedRangeSet())
    }

    /// The key of a row, as in a database.
    static func key(of id: Row.ID) -> BytewiseText { BytewiseText(Row.storageKey(of: id)) }

    func record(at place: Int) -> StoredRecord<Row>? {
        entries[place].map { entry in
            StoredRecord(
                entry.row, place: place, generation: entry.generation, storedAt: entry.stored,
                localChanges: changes[Self.key(of: entry.row.id)] ?? [:])
        }
    }

    mutating func store(_ page: RecordPage<Row>, at time: Date) -> RecordChange<Row.ID> {
        let ids = page.rows.map { Self.key(of: $0.id) }
        let known = ids.compactMap { id in
            places[id].flatMap { place in
                entries[place].map { (id, RecordPlacement.ExistingRow(place: place, generation: $0.generation)) }
            }
        }
        let placement = RecordPlacement(
            ids.map(\.text), in: page.places, generation: page.generation, isEnd: page.isEnd,
            occupied: Set(entries.keys.filter(page.places.contains)), existing: Dictionary(known, uniquingKeysWith: { $1 }))
        for place in placement.removed { remove(place) }
        for write in placement.updated + placement.inserted {
            entries[write.place] = Entry(row: page.rows[write.index], generation: page.generation, stored: time)
            places[ids[write.index]] = write.place
        }
        if page.isEnd {
            for place in entries.keys.filter({ $0 >= page.places.upperBound }) { remove(place) }
        }
        loadedRanges.add(page.loadedRange)
        return change(by: page, placement)
    }

    mutating func put(_ rows: [Row], at time: Date) -> RecordChange<Row.ID> {
        let ends = loadedRanges.ranges.map(\.places.upperBound) + entries.keys.map { $0 + 1 }
        var nextFreePlace = ends.max() ?? 0
        for row in rows {
            let id = Self.key(of: row.id)
            let place = places[id] ?? nextFreePlace
            entries[place] = Entry(row: row, generation: entries[place]?.generation ?? loadedRanges.newestGeneration, stored: time)
            places[id] = place
            nextFreePlace = max(nextFreePlace, place + 1)
        }
        return change(of: rows.map(\.id))
    }

    mutating func remove(_ ids: [Row.ID]) -> RecordChange<Row.ID> {
        let found = ids.filter { places[Self.key(of: $0)] != nil }
        for id in found { places[Self.key(of: id)].map { remove($0) } }
        return change(of: found)
    }

    mutating func trim(toBytes limit: Int) -> RecordChange<Row.ID> {
        let newestFirst = entries.sorted { ($0.value.stored, $0.key) > ($1.value.stored, $1.key) }
        var (size, removed): (Int, [Row.ID]) = (0, [])
        for (place, entry) in newestFirst {
            size += (try? entry.row.encoded().count) ?? 0
            guard size > limit else { continue }
            removed.append(entry.row.id)
            remove(place)
        }
        return change(of: removed)
    }

    private func change(of ids: [Row.ID]) -> RecordChange<Row.ID> {
        var change = RecordChange<Row.ID>()
        (change.isListChanged, change.rows) = (!ids.isEmpty, Set(ids))
        return change
    }

    private mutating func remove(_ place: Int) {
        if let entry = entries.removeValue(forKey: place) { places[Self.key(of: entry.row.id)] = nil }
    }

    private func change(by page: RecordPage<Row>, _ placement: RecordPlacement) -> RecordChange<Row.ID> {
        var change = RecordChange<Row.ID>()
        (change.isListChanged, change.rows) = (true, Set(page.rows.map(\.id)))
        let changedPlaces = placement.removed.union((placement.updated + placement.inserted).map(\.place))
        if let first = changedPlaces.min(), let last = changedPlaces.max() { change.places = first...last }
        return change
    }
}
