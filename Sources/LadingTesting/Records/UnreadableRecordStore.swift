package import LadingRecords
import Synchronization

/// A record store for tests whose loaded ranges cannot be read while it is unreadable, or before its gate is opened.
package final class UnreadableRecordStore<Row: PersistableRow>: RecordStoreWrapper {
    package let base: any RecordStore<Row>
    private let error: Mutex<(any Error)?>
    private let gate: Gate?

    /// - Parameter error: The error of reads until `makeReadable` is called; nil for none.
    package init(_ base: any RecordStore<Row>, error: (any Error)?, gate: Gate? = nil) {
        self.base = base
        self.error = Mutex(error)
        self.gate = gate
    }

    package func makeReadable() { error.withLock { $0 = nil } }

    package nonisolated(nonsending) func loadedRanges() async throws -> [LoadedRange] {
        try await gate?.wait()
        if let error = error.withLock(\.self) { throw error }
        return try await base.loadedRanges()
    }
}
