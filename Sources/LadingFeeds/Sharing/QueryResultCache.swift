/// A cache of the last query results of a list, shared by its screens.
struct QueryResultCache<Query: FeedQuery, Reference: Identifiable & Sendable>: Sendable
where Reference.ID: Sendable {
    private struct Entry: Sendable {
        let query: Query
        let snapshot: FeedSnapshot<Reference>
        /// The revision of the indexed fields that the result is based on.
        let indexRevision: Int
    }

    /// The maximum number of results.
    let limit: Int
    /// The entries, least recently used first.
    private var entries: [Entry] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// Returns the result of a query if it is based on the current revision.
    mutating func snapshot(for query: Query, indexRevision revision: Int) -> FeedSnapshot<Reference>? {
        guard let index = entries.firstIndex(where: { $0.query == query && $0.indexRevision == revision }) else {
            return nil
        }
        entries.append(entries.remove(at: index))
        return entries.last?.snapshot
    }

    /// Stores a result, replacing that of an equal query, and evicts the least recently used entry beyond the limit.
    mutating func store(_ snapshot: FeedSnapshot<Reference>, for query: Query, indexRevision: Int) {
        entries.removeAll { $0.query == query }
        entries.append(Entry(query: query, snapshot: snapshot, indexRevision: indexRevision))
        if entries.count > limit { entries.removeFirst() }
    }
}
