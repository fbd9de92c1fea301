import Foundation

/// Decides what of an archive is read into a memory, and when a list is written back. A synchronous value.
///
/// The stored list is unread → read. A list that is fetched before waits until then, because the rows that left it are known only by the stored one.
struct FeedRestoration<Reference: Identifiable & Sendable>: Sendable where Reference.ID: Sendable {
    /// A list to store, and the lists before it, whose rows may be stored.
    struct ListWrite: Sendable {
        var list: FeedSnapshot<Reference>
        var date: Date
        var replacedLists: [FeedSnapshot<Reference>]
    }

    private(set) var isListRestored = false
    /// Whether everything that is searched and sorted by was read from the stored rows.
    var areFieldsRestored = false
    /// The rows that were looked for and are not stored.
    private var missing: Set<Reference.ID> = []
    /// The rows that this process has stored, where an earlier one has stored none; nil where it may have.
    private var storedByThisProcess: Set<Reference.ID>?
    /// The list that was fetched before the stored one was read.
    private var pendingWrite: ListWrite?

    /// Whether a row may be stored.
    func mayContain(_ id: Reference.ID) -> Bool { storedByThisProcess?.contains(id) ?? !missing.contains(id) }

    /// A list was fetched; the result is what is to be written now.
    mutating func listFetched(_ list: FeedSnapshot<Reference>, at date: Date, after earlier: FeedSnapshot<Reference>?) -> ListWrite? {
        let replaced = [earlier].compactMap(\.self) + (pendingWrite?.replacedLists ?? [])
        pendingWrite = ListWrite(list: list, date: date, replacedLists: replaced)
        missing = missing.filter { list.index(of: $0) != nil }
        return nextWrite()
    }

    /// The stored list was read, nil when there is none; the result is what is to be written now.
    mutating func listRestored(_ list: FeedSnapshot<Reference>?) -> ListWrite? {
        guard !isListRestored else { return nil }
        isListRestored = true
        if list == nil { (storedByThisProcess, areFieldsRestored) = ([], true) }
        if let list { pendingWrite?.replacedLists.append(list) }
        return nextWrite()
    }

    /// Some rows were looked for and are not stored.
    mutating func recordMissing(_ ids: some Sequence<Reference.ID>) { missing.formUnion(ids) }

    /// A row was stored by this process.
    mutating func recordStored(_ id: Reference.ID) {
        missing.remove(id)
        storedByThisProcess?.insert(id)
    }

    private mutating func nextWrite() -> ListWrite? {
        guard isListRestored, let write = pendingWrite else { return nil }
        pendingWrite = nil
        return write
    }
}
