/// The arrangements of a list that were made last, for all who look at the list alike. A synchronous value.
struct QueryResultCache<Arrangement: FeedQuery, Reference: Identifiable & Sendable>: Sendable
where Reference.ID: Sendable {
    private struct Entry: Sendable {
        let query: Arrangement
        let snapshot: FeedSnapshot<Reference>
        /// What was known when it was made.
        let indexRevision: Int
    }

    /// The most arrangements kept.
    let limit: Int
    /// Used last comes last.
    private var entries: [Entry] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// The list in an arrangement, if it was made of what is known now.
    mutating func snapshot(for arrangement: Arrangement, indexRevision knowledge: Int) -> FeedSnapshot<Reference>? {
        guard let index = entries.firstIndex(where: { $0.query == arrangement && $0.indexRevision == knowledge }) else {
            return nil
        }
        entries.append(entries.remove(at: index))
        return entries.last?.snapshot
    }

    mutating func store(_ snapshot: FeedSnapshot<Reference>, for arrangement: Arrangement, indexRevision knowledge: Int) {
        entries.removeAll { $0.query == arrangement }
        entries.append(Entry(query: arrangement, snapshot: snapshot, indexRevision: knowledge))
        if entries.count > limit { entries.removeFirst() }
    }
}
