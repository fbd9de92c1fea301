package import OrderLifecycle

/// A store that creates many orders from a file: all of them, or none.
///
/// The orders of a file are staged in parts, which nobody sees. Once the import is accepted its orders are created in parts too, so that other
/// writes need not wait; after an interruption it is continued until all are created.
package protocol OrderImportStore: OrderStore {
    /// Stores a part of a file.
    ///
    /// - Parameter id: The id of the import, which begins with its first part.
    func stage(_ orders: [StagedOrder], inImport id: String, at now: Timestamp) async throws

    /// Decides that the staged orders are created.
    ///
    /// - Parameters:
    ///   - count: The number of staged orders.
    ///   - digest: The digest of the file; if rows are skipped, followed by a space and a digest of their numbers. Orders without an external id are
    ///     created only by the first import of a file.
    /// - Throws: `OrderStoreError.importDiscarded` if other orders are staged than these; `.rowsSkippedBefore` if some have no external id, and each
    ///   earlier import of the file has skipped rows, but not these.
    func acceptImport(_ id: String, count: Int, digest: String, by person: PersonID?, at now: Timestamp) async throws

    /// Deletes the staged orders of an import that was not accepted.
    func discardImport(_ id: String) async throws

    /// Creates the next orders of an accepted import.
    ///
    /// - Returns: The progress since its beginning.
    func continueImport(_ id: String, limit: Int, at now: Timestamp) async throws -> ImportProgress

    /// Returns the ids of accepted imports that are not finished.
    func unfinishedImports() async throws -> [String]

    /// Discards imports whose last part was stored before a time and that were never accepted.
    func discardImports(before time: Timestamp) async throws
}

/// An order of a file that is imported.
package struct StagedOrder: Hashable, Sendable {
    package let externalID: String?
    package let content: OrderContent

    package init(externalID: String?, content: OrderContent) {
        self.externalID = externalID
        self.content = content
    }
}

/// The progress of an import.
package struct ImportProgress: Hashable, Sendable {
    /// The number of created orders.
    package let created: Int
    /// The number of orders that had been imported before.
    package let existing: Int
    package let isFinished: Bool

    package init(created: Int, existing: Int, isFinished: Bool) {
        self.created = created
        self.existing = existing
        self.isFinished = isFinished
    }
}
