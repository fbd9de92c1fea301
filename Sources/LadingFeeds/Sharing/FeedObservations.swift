/// Somebody who shows rows of a `FeedCache`; called without its lock.
protocol FeedCacheObserver<ID>: AnyObject, Sendable {
    associatedtype ID: Hashable & Sendable

    /// Rows in the watched range have another content.
    func rowsChanged(_ update: FeedUpdate<ID>)
    /// There is another list.
    func listChanged()
    /// More is known to filter and sort by.
    func fieldsChanged()
}

/// Who shows which rows of which list. A synchronous value.
///
/// Finding those who show a row looks at all of them, in one pass over ranges: quick for ten thousand screens, and small for each.
struct FeedObservations<Reference: Identifiable & Sendable>: Sendable where Reference.ID: Sendable {
    typealias ID = Reference.ID

    private struct Entry: Sendable {
        weak var observer: (any FeedCacheObserver<ID>)?
        var snapshot: FeedSnapshot<Reference>
        var range: Range<Int>
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    mutating func observe(_ range: Range<Int>, of snapshot: FeedSnapshot<Reference>, by watcher: any FeedCacheObserver<ID>) {
        entries[ObjectIdentifier(watcher)] = Entry(observer: watcher, snapshot: snapshot, range: range)
    }

    mutating func removeObserver(_ watcher: ObjectIdentifier) {
        entries[watcher] = nil
    }

    var all: [any FeedCacheObserver<ID>] { entries.values.compactMap(\.observer) }

    /// Those who show the row of an identity.
    func observers(of id: ID) -> [any FeedCacheObserver<ID>] {
        var found: [any FeedCacheObserver<ID>] = []
        var last: (snapshot: FeedSnapshot<Reference>, index: Int?)?
        for watch in entries.values {
            if last?.snapshot !== watch.snapshot { last = (watch.snapshot, watch.snapshot.index(of: id)) }
            guard let index = last?.index, watch.range.contains(index), let watcher = watch.observer else { continue }
            found.append(watcher)
        }
        return found
    }
}
