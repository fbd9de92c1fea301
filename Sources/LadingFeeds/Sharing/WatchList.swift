/// Somebody who shows rows of a `FeedMemory`; called without its lock.
protocol FeedMemoryWatcher<ID>: AnyObject, Sendable {
    associatedtype ID: Hashable & Sendable

    /// Rows in the watched range have another content.
    func rowsChanged(_ update: FeedUpdate<ID>)
    /// There is another list.
    func listChanged()
    /// More is known to filter and sort by.
    func factsChanged()
}

/// Who shows which rows of which list. A synchronous value.
///
/// Finding those who show a row looks at all of them, in one pass over ranges: quick for ten thousand screens, and small for each.
struct WatchList<Reference: Identifiable & Sendable>: Sendable where Reference.ID: Sendable {
    typealias ID = Reference.ID

    private struct Watch: Sendable {
        weak var watcher: (any FeedMemoryWatcher<ID>)?
        var snapshot: FeedSnapshot<Reference>
        var range: Range<Int>
    }

    private var watches: [ObjectIdentifier: Watch] = [:]

    mutating func watch(_ range: Range<Int>, of snapshot: FeedSnapshot<Reference>, by watcher: any FeedMemoryWatcher<ID>) {
        watches[ObjectIdentifier(watcher)] = Watch(watcher: watcher, snapshot: snapshot, range: range)
    }

    mutating func unwatch(_ watcher: ObjectIdentifier) {
        watches[watcher] = nil
    }

    var all: [any FeedMemoryWatcher<ID>] { watches.values.compactMap(\.watcher) }

    /// Those who show the row of an identity.
    func watchers(of id: ID) -> [any FeedMemoryWatcher<ID>] {
        var found: [any FeedMemoryWatcher<ID>] = []
        var last: (snapshot: FeedSnapshot<Reference>, index: Int?)?
        for watch in watches.values {
            if last?.snapshot !== watch.snapshot { last = (watch.snapshot, watch.snapshot.index(of: id)) }
            guard let index = last?.index, watch.range.contains(index), let watcher = watch.watcher else { continue }
            found.append(watcher)
        }
        return found
    }
}
