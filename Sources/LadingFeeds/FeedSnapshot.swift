/// An immutable ordered list of references with lookup by index and by identity, shared by all screens that show it.
public final class FeedSnapshot<Reference: Identifiable & Sendable>: Sendable where Reference.ID: Sendable {
    /// The references in list order, without repeated identities: the first one counts.
    public let references: [Reference]
    /// The number of rows at the start that match the query; unknown rows follow them.
    public let matchedCount: Int
    /// The number of rows of the whole list that were known when the query was evaluated.
    public let knownCount: Int
    /// The number of rows of the whole list, shown or not.
    public let totalCount: Int
    /// The number of rows that the fetched list omits.
    public let omittedCount: Int
    private let indices: [Reference.ID: Int]

    /// Creates a list in server order.
    ///
    /// - Parameter omittedCount: The number of rows that the list omits.
    public convenience init(_ references: [Reference] = [], omittedCount: Int = 0) {
        var indices: [Reference.ID: Int] = [:]
        indices.reserveCapacity(references.count)
        var distinct: [Reference] = []
        distinct.reserveCapacity(references.count)
        for reference in references where indices[reference.id] == nil {
            indices[reference.id] = distinct.count
            distinct.append(reference)
        }
        self.init(distinct, indices, matched: 0, known: 0, total: distinct.count, omitted: omittedCount)
    }

    /// - Parameter indices: The index of each reference.
    private init(_ references: [Reference], _ indices: [Reference.ID: Int], matched: Int, known: Int, total: Int, omitted: Int) {
        self.references = references
        self.indices = indices
        matchedCount = matched
        knownCount = known
        totalCount = total
        omittedCount = omitted
    }

    convenience init(_ list: FetchedList<Reference>) {
        self.init(list.references, omittedCount: list.omittedCount)
    }

    public var count: Int { references.count }

    /// The references of the rows that were unknown when the query was applied, in list order; without a query, those of all rows.
    var unknownReferences: ArraySlice<Reference> { references[matchedCount...] }

    /// Returns the index of an identity; nil if it is not in the list.
    public func index(of id: Reference.ID) -> Int? { indices[id] }

    /// Returns the references at those indices that are within the list.
    package func references(in range: Range<Int>) -> ArraySlice<Reference> {
        references[range.clamped(to: 0..<count)]
    }
}

extension FeedSnapshot {
    /// The maximum distance at which neighbours of a missing row are searched.
    static var distanceLimit: Int { 1_000 }

    /// Returns the indices of a row, or of its nearest neighbour that is in both lists, in this list and in another.
    ///
    /// nil if there is none within `distanceLimit`.
    package func nearestCommonRow(to index: Int, in other: FeedSnapshot) -> (here: Int, there: Int)? {
        for distance in 0...Self.distanceLimit {
            for neighbour in Set([index + distance, index - distance]).sorted(by: >) where references.indices.contains(neighbour) {
                if let place = other.index(of: references[neighbour].id) { return (neighbour, place) }
            }
        }
        return nil
    }

    /// Returns the result of a query: the known rows that match, in its order, and then the unknown rows in list order.
    func applying<Query: FeedQuery>(
        _ query: Query, fields: FieldIndex<Reference.ID, Query.Fields>
    ) -> FeedSnapshot {
        let query = query.resolved(with: fields.values)
        var shown: [(reference: Reference, fields: Query.Fields)] = []
        var unknown: [Reference] = []
        for reference in references {
            guard let fields = fields[reference.id] else { unknown.append(reference); continue }
            if query.matches(fields) { shown.append((reference, fields)) }
        }
        // The sort is stable: equal rows have the order of the list.
        shown.sort { query.isOrderedBefore($0.fields, $1.fields) }
        let ordered = shown.map(\.reference) + unknown
        return FeedSnapshot(
            ordered, Dictionary(uniqueKeysWithValues: ordered.indices.map { (ordered[$0].id, $0) }), matched: shown.count,
            known: count - unknown.count, total: count, omitted: omittedCount)
    }

    /// Whether two lists show the same rows in the same order.
    func isInSameOrder(as other: FeedSnapshot) -> Bool {
        count == other.count && zip(references, other.references).allSatisfy { $0.id == $1.id }
    }
}
