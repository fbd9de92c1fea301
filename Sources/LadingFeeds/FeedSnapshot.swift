/// An immutable ordered list of references, found by index and by identity; shared by all screens that show it.
public final class FeedSnapshot<Reference: Identifiable & Sendable>: Sendable where Reference.ID: Sendable {
    /// The references in the order of the list; each identity once, where it came first.
    public let references: [Reference]
    /// How many of the first rows were filtered and sorted by what is known of them; behind them lie those that are not known.
    public let matchedCount: Int
    /// How many rows of the whole list were known when it was arranged.
    public let knownCount: Int
    /// How many rows the whole list has, shown or not.
    public let totalCount: Int
    private let indices: [Reference.ID: Int]

    /// A list as it came.
    public convenience init(_ references: [Reference] = []) {
        var indices: [Reference.ID: Int] = [:]
        indices.reserveCapacity(references.count)
        var distinct: [Reference] = []
        distinct.reserveCapacity(references.count)
        for reference in references where indices[reference.id] == nil {
            indices[reference.id] = distinct.count
            distinct.append(reference)
        }
        self.init(distinct, indices, matched: 0, known: 0, total: distinct.count)
    }

    /// - Parameter indices: Where each reference stands.
    private init(_ references: [Reference], _ indices: [Reference.ID: Int], matched: Int, known: Int, total: Int) {
        self.references = references
        self.indices = indices
        matchedCount = matched
        knownCount = known
        totalCount = total
    }

    public var count: Int { references.count }

    /// Where the reference of this identity stands; nil when it is not in the list.
    public func index(of id: Reference.ID) -> Int? { indices[id] }

    /// The references of those indices that lie within the list.
    public func references(in range: Range<Int>) -> ArraySlice<Reference> {
        references[range.clamped(to: 0..<count)]
    }
}

extension FeedSnapshot {
    /// How far from a row its neighbours are looked at when it is gone.
    static var neighbourLimit: Int { 1_000 }

    /// Where a row of this list, or else the nearest of its neighbours that is still there, stands here and in another list.
    ///
    /// nil when none of them is there any more.
    public func nearestCommonRow(to index: Int, in other: FeedSnapshot) -> (here: Int, there: Int)? {
        for distance in 0...Self.neighbourLimit {
            for neighbour in Set([index + distance, index - distance]).sorted(by: >) where references.indices.contains(neighbour) {
                if let place = other.index(of: references[neighbour].id) { return (neighbour, place) }
            }
        }
        return nil
    }

    /// The list in another arrangement. What is known and admitted comes first and in order, then what is not known, as it was listed.
    func applying<Arrangement: FeedQuery>(
        _ arrangement: Arrangement, fields facts: [Reference.ID: Arrangement.Fields]
    ) -> FeedSnapshot {
        let query = arrangement.resolved(with: facts.values)
        var shown: [(reference: Reference, facts: Arrangement.Fields)] = []
        var unknown: [Reference] = []
        for reference in references {
            guard let fields = facts[reference.id] else { unknown.append(reference); continue }
            if query.matches(fields) { shown.append((reference, fields)) }
        }
        // The sort is stable: rows that are equal keep the order of the list.
        shown.sort { query.precedes($0.facts, $1.facts) }
        let ordered = shown.map(\.reference) + unknown
        return FeedSnapshot(
            ordered, Dictionary(uniqueKeysWithValues: ordered.indices.map { (ordered[$0].id, $0) }), matched: shown.count,
            known: count - unknown.count, total: count)
    }

    /// Whether two lists show the same rows in the same order.
    func isInSameOrder(as other: FeedSnapshot) -> Bool {
        count == other.count && zip(references, other.references).allSatisfy { $0.id == $1.id }
    }
}
