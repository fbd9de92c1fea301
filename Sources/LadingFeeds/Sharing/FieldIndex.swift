/// The indexed fields of the known rows of a feed. A synchronous value.
///
/// It consists of parts: a change while a query reads a copy of the index copies one of them, not the fields of all rows.
struct FieldIndex<ID: Hashable & Sendable, Fields: Sendable>: Sendable {
    /// The number of parts, a power of two.
    static var partCount: Int { 64 }

    private(set) var parts: [[ID: Fields]] = Array(repeating: [:], count: partCount)
    /// The number of rows.
    private(set) var count = 0

    /// The fields of all rows, in any order.
    var values: some Collection<Fields> { parts.lazy.map(\.values).joined() }

    /// Returns the fields of a row; nil if it is unknown.
    subscript(id: ID) -> Fields? { parts[Self.part(of: id)][id] }

    /// Returns the rows that satisfy a condition, in any order.
    func ids(where isIncluded: (ID) -> Bool) -> [ID] { parts.flatMap { $0.keys.filter(isIncluded) } }

    /// Sets the fields of a row.
    mutating func set(_ fields: Fields, of id: ID) {
        if parts[Self.part(of: id)].updateValue(fields, forKey: id) == nil { count += 1 }
    }

    /// Removes the fields of rows, known or not.
    mutating func remove(_ ids: some Sequence<ID>) {
        for id in ids where parts[Self.part(of: id)].removeValue(forKey: id) != nil { count -= 1 }
    }

    private static func part(of id: ID) -> Int { id.hashValue & (partCount - 1) }
}
