import LadingOperations

/// The archive reads of one screen that are in progress. A synchronous value.
struct ArchiveReads<ID: Hashable & Sendable>: Sendable {
    enum Part: Hashable, Sendable {
        case list
        /// The fields that queries filter and sort by.
        case fields
        case rows([ID])
    }

    private(set) var parts: [Part: AnyOperation?] = [:]
    /// The identities of the rows that are being read.
    private(set) var rows: Set<ID> = []
    /// The list or the fields, while a read of them repeats one that others have cancelled.
    private var repeated: Set<Part> = []

    var operations: [AnyOperation] { parts.values.compactMap(\.self) }

    /// Whether the list or rows are being read.
    var isActive: Bool { !rows.isEmpty || parts[.list] != nil }

    /// Marks a part as being read. Returns false if it already was.
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

    /// Returns whether to repeat a read of the list or the fields: once if others have cancelled it, because the next one could be cancelled
    /// at once, too. Rows are planned again instead.
    mutating func shouldRepeat(_ part: Part, isCancelled: Bool) -> Bool {
        if case .rows = part { return false }
        guard repeated.remove(part) == nil, isCancelled else { return false }
        repeated.insert(part)
        return true
    }
}
