public import Foundation

/// A persistent store of the rows of one list of one user, filled page by page and readable offline.
///
/// - A page is stored completely or not at all, and confirmed pages are durable.
/// - A page replaces the rows of older refreshes in its places and nothing else. Older rows stay until they are replaced or lie beyond a confirmed
///   end.
/// - A row is stored once, with its newest content. In another page of the same refresh it retains its place, unless that is beyond a confirmed end;
///   in a newer refresh it moves to its new place.
/// - Each read sees complete pages. No read lasts longer than its call, so none delays writes.
///
/// Each function throws the errors of its storage. A row that cannot be decoded is counted in `RecordSlice.unreadable` instead.
///
/// `RecordStoreConformance` in LadingConformance checks these rules.
public protocol RecordStore<Row>: Sendable {
    associatedtype Row: PersistableRow

    /// Stores a page.
    ///
    /// - Throws: Errors of encoding a row, too.
    nonisolated(nonsending) func store(_ page: RecordPage<Row>) async throws -> WriteResult

    /// Returns the loaded ranges in order; adjoining ranges of one refresh are merged.
    nonisolated(nonsending) func loadedRanges() async throws -> [LoadedRange]

    /// Returns at most `limit` rows in the order of a query, and at most `readLimit`.
    nonisolated(nonsending) func records(_ query: RecordQuery, from start: ResultCursor, limit: Int) async throws -> RecordSlice<Row>

    /// Returns the rows in a range of places, in order, at most `readLimit`.
    nonisolated(nonsending) func records(in places: Range<Int>) async throws -> RecordSlice<Row>

    /// Returns the row of an identity; nil when it is not stored.
    nonisolated(nonsending) func record(of id: Row.ID) async throws -> StoredRecord<Row>?

    /// Returns the rows of some identities in any order, without those that are not stored.
    nonisolated(nonsending) func records(of ids: [Row.ID]) async throws -> RecordSlice<Row>

    /// Returns the number of rows that a query finds.
    nonisolated(nonsending) func count(_ query: RecordQuery) async throws -> Int

    /// Stores rows outside of pages, for values that are only read by their identity.
    ///
    /// An existing row is replaced at its place; the others are appended. All of the rows are stored or none. They add no loaded range: the next page
    /// at their places replaces them.
    /// - Throws: Errors of encoding a row, too.
    nonisolated(nonsending) func put(_ rows: [Row]) async throws

    /// Removes the rows of some identities. Their places remain loaded.
    nonisolated(nonsending) func remove(_ ids: [Row.ID]) async throws

    /// Removes the oldest rows until the encoded rows have at most `limit` bytes.
    nonisolated(nonsending) func trim(toBytes limit: Int) async throws

    /// Stores a local change of a row, which pages do not revert; nil removes it. The row need not be stored.
    nonisolated(nonsending) func setLocalChange(_ value: Data?, named name: String, of id: Row.ID) async throws

    /// Removes all rows and loaded ranges; local changes stay.
    nonisolated(nonsending) func removeAll() async throws

    /// Returns a subscription to the changes from now on, for one reader; it ends when the store is closed or deallocated.
    func changes() -> RecordChanges<Row.ID>
}

extension RecordStore {
    /// The maximum number of rows that one call returns, except for a call with identities.
    public static var readLimit: Int { 1_000 }

    /// Returns the first rows of the list, in its order.
    ///
    /// - Parameter limit: The maximum number of rows, up to `readLimit`.
    /// - Throws: As `records(_:from:limit:)`.
    public nonisolated(nonsending) func records(limit: Int) async throws -> RecordSlice<Row> {
        try await records(RecordQuery(), from: .first, limit: limit)
    }

    /// Returns the number of the newest refresh that has stored a page; 0 if there is none.
    package nonisolated(nonsending) func newestGeneration() async throws -> Int {
        try await loadedRanges().map(\.generation).max() ?? 0
    }
}
