import Synchronization

extension FeedCache {
    /// From now on a watcher is told of the rows in a range, instead of those it was told of before.
    func observe(_ range: Range<Int>, of snapshot: FeedSnapshot<F.Reference>, by watcher: any FeedCacheObserver<ID>) {
        state.withLock { $0.observations.observe(range, of: snapshot, by: watcher) }
    }

    func removeObserver(_ watcher: ObjectIdentifier) {
        state.withLock { $0.observations.removeObserver(watcher) }
    }

    /// Counts what has been learnt: another number, other arrangements.
    var indexRevision: Int { state.withLock { $0.indexRevision } }

    /// The list in an arrangement, with what is known now; nil before there is a list.
    ///
    /// It takes time in proportion to the list, unless somebody else has just asked for the same.
    func results(of arrangement: F.Query) -> FeedSnapshot<F.Reference>? {
        let (made, source, fields, revision) = state.withLock { state in
            let made = state.queryResults.snapshot(for: arrangement, indexRevision: state.indexRevision)
            return (made, state.snapshot, made == nil ? state.fields : [:], state.indexRevision)
        }
        if let made { return made }
        guard let result = source?.applying(arrangement, fields: fields) else { return nil }
        state.withLock { $0.queryResults.store(result, for: arrangement, indexRevision: revision) }
        return result
    }

    /// The identities that nothing is known of, in the order of the list.
    ///
    /// - Parameter others: Those that do not count.
    func unindexedIDs(limit: Int, excluding others: Set<ID> = []) -> [ID] {
        let (source, fields) = state.withLock { ($0.snapshot, $0.fields) }
        guard let source else { return [] }
        return Array(source.references.lazy.map(\.id).filter { fields[$0] == nil && !others.contains($0) }.prefix(limit))
    }

    /// Those of some identities that are in the list and that nothing is known of.
    func unindexedIDs(among ids: [ID]) -> [ID] {
        ids.isEmpty ? [] : state.withLock { state in ids.filter { state.fields[$0] == nil && state.snapshot?.index(of: $0) != nil } }
    }
}
