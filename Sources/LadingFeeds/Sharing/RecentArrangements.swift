/// The arrangements of a list that were made last, for all who look at the list alike. A synchronous value.
struct RecentArrangements<Arrangement: FeedArrangement, Reference: Identifiable & Sendable>: Sendable
where Reference.ID: Sendable {
    private struct Entry: Sendable {
        let arrangement: Arrangement
        let snapshot: FeedSnapshot<Reference>
        /// What was known when it was made.
        let knowledge: Int
    }

    /// The most arrangements kept.
    let limit: Int
    /// Used last comes last.
    private var entries: [Entry] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// The list in an arrangement, if it was made of what is known now.
    mutating func snapshot(of arrangement: Arrangement, knowing knowledge: Int) -> FeedSnapshot<Reference>? {
        guard let index = entries.firstIndex(where: { $0.arrangement == arrangement && $0.knowledge == knowledge }) else {
            return nil
        }
        entries.append(entries.remove(at: index))
        return entries.last?.snapshot
    }

    mutating func keep(_ snapshot: FeedSnapshot<Reference>, of arrangement: Arrangement, knowing knowledge: Int) {
        entries.removeAll { $0.arrangement == arrangement }
        entries.append(Entry(arrangement: arrangement, snapshot: snapshot, knowledge: knowledge))
        if entries.count > limit { entries.removeFirst() }
    }
}
