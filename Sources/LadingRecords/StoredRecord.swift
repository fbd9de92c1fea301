public import Foundation

/// A row in a store, with its position.
public struct StoredRecord<Row: PersistableRow>: Sendable {
    public var row: Row
    /// The place of the row in the list; places in between may be empty.
    public var place: Int
    /// The refresh of the page that contained the row.
    public var generation: Int
    /// The date at which the row was last stored.
    public var storedAt: Date
    /// The position in the order of the query.
    public var position: RecordPosition
    /// The local changes of the row by name, which pages do not revert.
    public var localChanges: [String: Data]

    public init(
        _ row: Row, place: Int, generation: Int, storedAt: Date, position: RecordPosition? = nil, localChanges: [String: Data] = [:]
    ) {
        self.row = row
        self.place = place
        self.generation = generation
        self.storedAt = storedAt
        self.position = position ?? RecordPosition(place: place)
        self.localChanges = localChanges
    }
}

extension Date {
    /// The date, clamped to `distantPast` and `distantFuture`. A damaged file can contain any number, and conversions of a huge one trap.
    package var clamped: Date { min(max(.distantPast, self), .distantFuture) }
}

extension StoredRecord: Identifiable {
    public var id: Row.ID { row.id }
}

/// A sequence of rows, in the order of a query.
public struct RecordSlice<Row: PersistableRow>: Sendable {
    public var records: [StoredRecord<Row>]
    /// The number of rows that could not be decoded.
    public var unreadable: Int

    public init(_ records: [StoredRecord<Row>] = [], unreadable: Int = 0) {
        self.records = records
        self.unreadable = unreadable
    }

    public var rows: [Row] { records.map(\.row) }
}
