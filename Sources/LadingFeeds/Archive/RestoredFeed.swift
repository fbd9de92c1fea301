import Foundation

/// The progress of reading an archive into a cache, and the list to write back. A synchronous value.
///
/// States of the stored list: unread → read. A list that is fetched earlier is written after that, because only the stored list knows which rows have
/// left it.
struct RestoredFeed<Reference: Identifiable & Sendable>: Sendable where Reference.ID: Sendable {
    /// A list to store, and the replaced lists, whose rows may be stored.
    struct ListWrite: Sendable {
        var list: FeedSnapshot<Reference>
        var date: Date
        var replacedLists: [FeedSnapshot<Reference>]
    }

    private(set) var isListRestored = false
    /// Whether the indexed fields of all stored rows have been read.
    var areFieldsRestored = false
    /// The rows that were looked up and are not stored, or cannot be read.
    private var missing: Set<Reference.ID> = []
    /// The rows that this process has stored, if no earlier process has stored any; nil if one may have.
    private var storedByThisProcess: Set<Reference.ID>?
    /// The list that was fetched before the stored list was read.
    private var pendingWrite: ListWrite?

    /// Whether a row may be stored.
    func mayContain(_ id: Reference.ID) -> Bool { !missing.contains(id) && storedByThisProcess?.contains(id) ?? true }

    /// Returns the rows that were looked up or stored and are not in a list.
    func ids(notIn list: FeedSnapshot<Reference>) -> Set<Reference.ID> {
        missing.union(storedByThisProcess ?? []).filter { list.index(of: $0) == nil }
    }

    /// Records a fetched list and returns the list to write now.
    ///
    /// - Parameter departed: The rows that are not in the list and whose records are removed.
    mutating func listFetched(
        _ list: FeedSnapshot<Reference>, at date: Date, after earlier: FeedSnapshot<Reference>?, removing departed: Set<Reference.ID>
    ) -> ListWrite? {
        let replaced = [earlier].compactMap(\.self) + (pendingWrite?.replacedLists ?? [])
        pendingWrite = ListWrite(list: list, date: date, replacedLists: replaced)
        missing.subtract(departed)
        storedByThisProcess?.subtract(departed)
        return nextWrite()
    }

    /// Records the stored list, nil if there is none, and returns the list to write now.
    mutating func listRestored(_ list: FeedSnapshot<Reference>?) -> ListWrite? {
        guard !isListRestored else { return nil }
        isListRestored = true
        if list == nil { (storedByThisProcess, areFieldsRestored) = ([], true) }
        if let list { pendingWrite?.replacedLists.append(list) }
        return nextWrite()
    }

    /// Records rows that are not stored, or cannot be read.
    mutating func recordMissing(_ ids: some Sequence<Reference.ID>) { missing.formUnion(ids) }

    /// Records a row that this process has stored. Its write may fail or be trimmed later: the row is then missing after the next read.
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
