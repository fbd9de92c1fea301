public import Foundation

/// A row as a store keeps it.
public struct StoredRecord<Row: Recordable>: Sendable {
    public var row: Row
    /// Where it stands in the list; places may be empty in between.
    public var place: Int
    /// The refresh that it came with.
    public var generation: Int
    /// When it was stored last.
    public var storedAt: Date
    /// Where it stands in the order that was asked for.
    public var position: RecordPosition
    /// What was changed here and is not to be reverted by a page that arrives, by name.
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

/// Some rows of a list, in its order.
public struct RecordSlice<Row: Recordable>: Sendable {
    public var records: [StoredRecord<Row>]
    /// Rows that were there and could not be decoded.
    public var unreadable: Int

    public init(_ records: [StoredRecord<Row>] = [], unreadable: Int = 0) {
        self.records = records
        self.unreadable = unreadable
    }

    public var rows: [Row] { records.map(\.row) }
}
