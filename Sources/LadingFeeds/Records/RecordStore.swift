public import Foundation

/// Keeps the rows of one list of one user beyond the process. They come page by page, stay in their order, and are read without a network.
///
/// - A page is stored whole or not at all, and what `store` has confirmed stays.
/// - A page replaces what older refreshes left in the places it covers, and nothing else. Older rows stay until they are covered, or lie behind a confirmed end.
/// - A row is there once, with its newest content. When it comes again in another page of the same refresh it stays where it was; a newer refresh puts it where
///   the server has it now.
/// - Each reading sees whole pages. None outlives its call, so none holds up the writing.
///
/// `RecordStoreConformance` in LadingTesting checks this.
public protocol RecordStore<Row>: Sendable {
    associatedtype Row: Recordable

    /// Stores a page.
    nonisolated(nonsending) func store(_ page: RecordPage<Row>) async throws -> WriteResult

    /// Which places pages have covered, in order; neighbours of one refresh are one run.
    nonisolated(nonsending) func loadedRanges() async throws -> [LoadedRange]

    /// Rows in the order of a query, at most as many as are asked for.
    nonisolated(nonsending) func records(_ query: RecordQuery, from start: ResultCursor, limit: Int) async throws -> RecordSlice<Row>

    /// The rows in a range of places, in order.
    nonisolated(nonsending) func records(in places: Range<Int>) async throws -> RecordSlice<Row>

    nonisolated(nonsending) func record(of id: Row.ID) async throws -> StoredRecord<Row>?

    /// The rows of some identities, in any order; those that are not stored are left out.
    nonisolated(nonsending) func records(of ids: [Row.ID]) async throws -> RecordSlice<Row>

    /// How many rows a query finds.
    nonisolated(nonsending) func count(_ query: RecordQuery) async throws -> Int

    /// Stores rows that belong to no page: for values that are found by their identity alone.
    ///
    /// A stored row is replaced in its place; the others are added behind the last place. Either all of them are stored or none. They cover no places: the next
    /// page that covers theirs replaces them.
    nonisolated(nonsending) func put(_ rows: [Row]) async throws

    /// Removes the rows of some identities. The pages that covered their places still cover them.
    nonisolated(nonsending) func remove(_ ids: [Row.ID]) async throws

    /// Removes the rows that were stored first, until the encoded rows that are left have at most so many bytes.
    nonisolated(nonsending) func trim(toBytes limit: Int) async throws

    /// Notes a change made here, which pages do not revert; nil takes it back. The row need not be there.
    nonisolated(nonsending) func setLocalChange(_ value: Data?, named name: String, of id: Row.ID) async throws

    /// Removes all rows and what is known of pages; changes made here stay.
    nonisolated(nonsending) func removeAll() async throws

    /// What changes from now on, for one reader.
    func changes() -> RecordChanges<Row.ID>
}

extension RecordStore {
    /// The most rows that are read at once.
    public static var readLimit: Int { 1_000 }

    /// The first rows of the list.
    public nonisolated(nonsending) func records(limit: Int) async throws -> RecordSlice<Row> {
        try await records(RecordQuery(), from: .first, limit: limit)
    }

    /// The number of the newest refresh that has stored anything; 0 when there is none.
    public nonisolated(nonsending) func newestGeneration() async throws -> Int {
        try await loadedRanges().map(\.generation).max() ?? 0
    }
}
