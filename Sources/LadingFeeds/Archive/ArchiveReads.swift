import LadingOperations

/// The operations of one screen that read an archive, by what they read. A synchronous value.
struct ArchiveReads<ID: Hashable & Sendable>: Sendable {
    enum Part: Hashable, Sendable {
        case list
        /// The fields that lists are filtered and sorted by.
        case fields
        case rows([ID])
    }

    private(set) var parts: [Part: AnyOperation?] = [:]
    /// The rows that are being read.
    private(set) var rows: Set<ID> = []

    var operations: [AnyOperation] { parts.values.compactMap(\.self) }

    /// Whether rows are being read, or the list.
    var isActive: Bool { !rows.isEmpty || parts[.list] != nil }

    /// False when the part is being read already.
    mutating func begin(_ part: Part) -> Bool {
        guard parts[part] == nil else { return false }
        parts[part] = .some(nil)
        if case .rows(let ids) = part { rows.formUnion(ids) }
        return true
    }

    mutating func setOperation(_ operation: AnyOperation, for part: Part) { parts[part] = operation }

    mutating func end(_ part: Part) {
        parts[part] = nil
        if case .rows(let ids) = part { rows.subtract(ids) }
    }
}
