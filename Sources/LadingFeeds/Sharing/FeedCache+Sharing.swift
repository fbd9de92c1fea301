import Synchronization

extension FeedCache {
    /// Observes the rows in a range, which replaces the observer's previous range.
    func observe(_ range: Range<Int>, of snapshot: FeedSnapshot<F.Reference>, by observer: any FeedCacheObserver<ID>) {
        state.withLock { $0.observations.observe(range, of: snapshot, by: observer) }
    }

    func removeObserver(_ observer: ObjectIdentifier) {
        state.withLock { $0.observations.removeObserver(observer) }
    }

    /// The number of changes to the indexed fields and the list, which invalidate query results.
    var indexRevision: Int { state.withLock { $0.indexRevision } }

    /// Returns the list with a query applied to the known rows; nil without a list.
    ///
    /// The time is proportional to the length of the list, unless the result is cached.
    func results(of query: F.Query) -> FeedSnapshot<F.Reference>? {
        let (cached, source, fields, revision) = state.withLock { state in
            let made = state.queryResults.snapshot(for: query, indexRevision: state.indexRevision)
            return (made, state.snapshot, state.fields, state.indexRevision)
        }
        if let cached { return cached }
        guard let result = source?.applying(query, fields: fields) else { return nil }
        state.withLock { $0.queryResults.store(result, for: query, indexRevision: revision) }
        return result
    }

    /// Returns the first of those identities that are in the list and have no indexed fields.
    func idsWithoutFields(among ids: some Sequence<ID>, limit: Int = .max) -> [ID] {
        let (source, fields) = state.withLock { ($0.snapshot, $0.fields) }
        guard let source else { return [] }
        return Array(ids.lazy.filter { fields[$0] == nil && source.index(of: $0) != nil }.prefix(limit))
    }
}
