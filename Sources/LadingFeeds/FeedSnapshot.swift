/// An immutable ordered list of references, found by index and by identity; copies share their storage.
public struct FeedSnapshot<Reference: Identifiable & Sendable>: Sendable where Reference.ID: Sendable {
    /// The references in the order of the list; each identity once, where it came first.
    public let references: [Reference]
    private let indices: [Reference.ID: Int]

    public init(_ references: [Reference] = []) {
        var indices: [Reference.ID: Int] = [:]
        indices.reserveCapacity(references.count)
        var distinct: [Reference] = []
        distinct.reserveCapacity(references.count)
        for reference in references where indices[reference.id] == nil {
            indices[reference.id] = distinct.count
            distinct.append(reference)
        }
        self.references = distinct
        self.indices = indices
    }

    public var count: Int { references.count }

    /// Where the reference of this identity stands; nil when it is not in the list.
    public func index(of id: Reference.ID) -> Int? { indices[id] }

    /// The references of those indices that lie within the list.
    public func references(in range: Range<Int>) -> ArraySlice<Reference> {
        references[range.clamped(to: 0..<count)]
    }
}
