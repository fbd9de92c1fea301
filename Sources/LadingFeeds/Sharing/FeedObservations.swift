/// An observer of rows of a `FeedCache`, called outside of its lock.
protocol FeedCacheObserver<ID>: AnyObject, Sendable {
    associatedtype ID: Hashable & Sendable

    /// Handles changed rows in the observed range.
    func rowsChanged(_ update: FeedUpdate<ID>)
    /// Handles a changed list.
    func listChanged()
    /// Handles new indexed fields.
    func fieldsChanged()
}

/// The observers of a list with their observed ranges. A synchronous value.
///
/// Finding the observers of a row is one pass over all ranges, which is fast for ten thousand screens and needs little memory for each.
struct FeedObservations<Reference: Identifiable & Sendable>: Sendable where Reference.ID: Sendable {
    typealias ID = Reference.ID

    private struct Entry: Sendable {
        weak var observer: (any FeedCacheObserver<ID>)?
        var snapshot: FeedSnapshot<Reference>
        var range: Range<Int>
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    mutating func observe(_ range: Range<Int>, of snapshot: FeedSnapshot<Reference>, by observer: any FeedCacheObserver<ID>) {
        entries[ObjectIdentifier(observer)] = Entry(observer: observer, snapshot: snapshot, range: range)
    }

    mutating func removeObserver(_ observer: ObjectIdentifier) {
        entries[observer] = nil
    }

    var all: [any FeedCacheObserver<ID>] { entries.values.compactMap(\.observer) }

    /// Returns the observers of the row with an identity.
    func observers(of id: ID) -> [any FeedCacheObserver<ID>] {
        var found: [any FeedCacheObserver<ID>] = []
        var last: (snapshot: FeedSnapshot<Reference>, index: Int?)?
        for entry in entries.values {
            if last?.snapshot !== entry.snapshot { last = (entry.snapshot, entry.snapshot.index(of: id)) }
            guard let index = last?.index, entry.range.contains(index), let observer = entry.observer else { continue }
            found.append(observer)
        }
        return found
    }
}
