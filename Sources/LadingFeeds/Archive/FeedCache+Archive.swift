public import Foundation
import LadingCaching
package import LadingOperations
import Synchronization

// All archived values are read into the cache, which the screens share; no other type reads the archive.

extension FeedCache {
    typealias StoredList = FeedArchive<F>.StoredList

    // MARK: List

    /// Whether there is an archive whose list has not been read.
    var isListRestorePending: Bool { archive != nil && state.withLock { !$0.restoredFeed.isListRestored } }

    /// Creates an operation that reads the stored list. Concurrent operations of several screens share one execution.
    func restoreListOperation() -> BackendOperation<StoredList?> {
        guard let archive else { return BackendOperation("stored list", result: .success(nil)) }
        return BackendOperation("stored list", key: OperationKey(verb: "restore list", subject: archive.subject), lane: .disk) {
            await archive.list()
        }
    }

    /// Reads the list stored by an earlier process, unless it has been read.
    package nonisolated(nonsending) func restoreList(through queue: BackendQueue) async {
        guard isListRestorePending else { return }
        // Only cancellation throws here; a missing list is recorded as well.
        do { restore(try await queue.value(of: restoreListOperation(), priority: .visible)) } catch {}
    }

    /// Shows a stored list until one is fetched.
    func restore(_ stored: StoredList?) {
        guard isListRestorePending else { return }
        let snapshot = stored?.snapshot
        let departed = snapshot.map(knownIDs(notIn:)) ?? []
        publish { state in
            let write = state.restoredFeed.listRestored(snapshot)
            guard let stored, let snapshot, state.snapshot == nil else { return ([], write) }
            return (state.replaceList(with: snapshot, at: stored.date, removing: departed), write)
        }
    }

    // MARK: Rows

    /// Returns the date at which an earlier process stored a row; nil for a row that this process has loaded.
    public func archiveDate(of id: ID) -> Date? { rows.value(for: id)?.archivedAt }

    /// Returns the identities of the rows that are not cached and may be stored.
    func idsToRestore(_ indices: some Sequence<Int>, of snapshot: FeedSnapshot<F.Reference>) -> [ID] {
        guard let archive, archive.storesRows else { return [] }
        let unknown = indices.map { snapshot.references[$0].id }.filter { rows.value(for: $0) == nil }
        return unknown.isEmpty ? [] : state.withLock { state in unknown.filter(state.restoredFeed.mayContain) }
    }

    /// Creates an operation that reads stored rows.
    func restoreRowsOperation(_ ids: [ID]) -> BackendOperation<Void> {
        BackendOperation("stored rows", lane: .disk) { await self.restoreRows(ids) }
    }

    /// Reads stored rows into the cache, except for rows that are already cached.
    package nonisolated(nonsending) func restoreRows(_ ids: [ID]) async {
        guard let archive else { return }
        let stored = await archive.rows(of: ids)
        guard !Task.isCancelled else { return }
        state.withLock { $0.restoredFeed.recordMissing(Set(ids).subtracting(stored.map(\.id))) }
        for (id, row) in stored { restore(row, for: id) }
    }

    /// Records rows that cannot be read, so that they are loaded.
    func recordMissing(_ ids: [ID]) { state.withLock { $0.restoredFeed.recordMissing(ids) } }

    private func restore(_ row: Archived<F.Row>, for id: ID) {
        let fields = F.Query.indexedFields(of: row.value)
        let observers = state.withLock { state -> [any FeedCacheObserver<ID>] in
            guard rows.value(for: id) == nil else { return [] }
            state.version += 1
            let known = CachedRow(
                row: row.value, archivedAt: row.date, fetchEpoch: nil, generation: Self.archivedGeneration, version: state.version)
            rows.store(known, for: id)
            if state.fields[id] == nil { state.setFields(fields, of: id) }
            return state.observations.observers(of: id)
        }
        let update = FeedUpdate(rows: [id])
        for observer in observers { observer.rowsChanged(update) }
    }

    // MARK: Fields

    /// Whether the indexed fields of all stored rows have been read.
    var areFieldsRestored: Bool {
        guard let archive, archive.storesRows, F.Query.Fields.self != Void.self else { return true }
        return state.withLock { $0.restoredFeed.areFieldsRestored }
    }

    /// Creates an operation that reads the indexed fields of all stored rows and notifies the screens after each batch.
    func restoreFieldsOperation() -> BackendOperation<Void> {
        guard let archive else { return BackendOperation("stored fields", result: .success(())) }
        let key = OperationKey(verb: "restore fields", subject: archive.subject)
        // A separate lane, because reading all rows may take seconds and must not delay the rows in view.
        return BackendOperation("stored fields", key: key, lane: Lane("index")) {
            await archive.readRows { rows in
                self.setFields(from: rows)
                return !Task.isCancelled
            }
            if !Task.isCancelled { self.state.withLock { $0.restoredFeed.areFieldsRestored = true } }
        }
    }

    private func setFields(from stored: [(id: ID, row: F.Row)]) {
        let decoded = stored.map { (id: $0.id, fields: F.Query.indexedFields(of: $0.row)) }
        let observers = state.withLock { state -> [any FeedCacheObserver<ID>] in
            for (id, fields) in decoded where state.fields[id] == nil {
                // Before the list is known, every stored row may be in it.
                if let list = state.snapshot, list.index(of: id) == nil { continue }
                state.setFields(fields, of: id)
            }
            return state.observations.all
        }
        for observer in observers { observer.fieldsChanged() }
    }
}
