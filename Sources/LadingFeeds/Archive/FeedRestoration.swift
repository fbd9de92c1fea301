import Foundation

/// Decides what of an archive is read into a memory, and when a list is written back. A synchronous value.
///
/// The stored list is unread → read. A list that is fetched before waits until then, because the rows that left it are known only by the stored one.
struct FeedRestoration<Reference: Identifiable & Sendable>: Sendable where Reference.ID: Sendable {
    /// A list to store, and the lists before it, whose rows may be stored.
    struct ListWrite: Sendable {
        var list: FeedSnapshot<Reference>
        var date: Date
        var replaced: [FeedSnapshot<Reference>]
    }

    private(set) var isListRead = false
    /// Whether everything that is searched and sorted by was read from the stored rows.
    var areFactsRead = false
    /// The rows that were looked for and are not stored.
    private var absent: Set<Reference.ID> = []
    /// The rows that this process has stored, where an earlier one has stored none; nil where it may have.
    private var own: Set<Reference.ID>?
    /// The list that was fetched before the stored one was read.
    private var pending: ListWrite?

    /// Whether a row may be stored.
    func mayHave(_ id: Reference.ID) -> Bool { own?.contains(id) ?? !absent.contains(id) }

    /// A list was fetched; the result is what is to be written now.
    mutating func listFetched(_ list: FeedSnapshot<Reference>, at date: Date, after earlier: FeedSnapshot<Reference>?) -> ListWrite? {
        let replaced = [earlier].compactMap(\.self) + (pending?.replaced ?? [])
        pending = ListWrite(list: list, date: date, replaced: replaced)
        absent = absent.filter { list.index(of: $0) != nil }
        return takePending()
    }

    /// The stored list was read, nil when there is none; the result is what is to be written now.
    mutating func listRead(_ list: FeedSnapshot<Reference>?) -> ListWrite? {
        guard !isListRead else { return nil }
        isListRead = true
        if list == nil { (own, areFactsRead) = ([], true) }
        if let list { pending?.replaced.append(list) }
        return takePending()
    }

    /// Some rows were looked for and are not stored.
    mutating func noteAbsent(_ ids: some Sequence<Reference.ID>) { absent.formUnion(ids) }

    /// A row was stored by this process.
    mutating func noteStored(_ id: Reference.ID) {
        absent.remove(id)
        own?.insert(id)
    }

    private mutating func takePending() -> ListWrite? {
        guard isListRead, let write = pending else { return nil }
        pending = nil
        return write
    }
}
