import Foundation
import GRDB

/// The record that the rows of a table are a demo, and which one.
struct DemoMetadata: Sendable {
    /// Where the record of each kind of row is.
    enum Table: String {
        case orders = "demo"
        case deliveries = "demoDeliveries"
        case sols = "demoSols"
    }

    /// How many rows are stored.
    private(set) var count: Int
    private let seed: Int64
    private let version: Int
    /// When the rows became as they are; whole seconds, as HTTP dates are.
    private(set) var date: Date

    init(count: Int, seed: UInt64, version: Int, now: Date) {
        self.count = count
        self.seed = Int64(bitPattern: seed)
        self.version = version
        date = now.roundedDownToSecond
    }

    /// Whether both have the same rows.
    func hasSameRows(as other: DemoMetadata) -> Bool {
        count == other.count && isSameDemo(as: other)
    }

    /// Whether one has the first rows of the other.
    func isSameDemo(as other: DemoMetadata) -> Bool {
        seed == other.seed && version == other.version
    }

    func withCount(_ count: Int, now: Date) -> DemoMetadata {
        var changed = self
        changed.count = count
        changed.date = now.roundedDownToSecond
        return changed
    }

    func save(in table: Table, _ database: Database) throws -> DemoMetadata {
        try database.execute(
            sql: "INSERT OR REPLACE INTO \(table.rawValue) (id, count, seed, version, seconds) VALUES (1, ?, ?, ?, ?)",
            arguments: [count, seed, version, Int64(date.timeIntervalSince1970)]
        )
        return self
    }
}

extension DemoMetadata: FetchableRecord {
    init(row: Row) {
        count = row["count"]
        seed = row["seed"]
        version = row["version"]
        date = Date(timeIntervalSince1970: TimeInterval(row["seconds"] as Int64))
    }

    static func fetchOne(in table: Table, _ database: Database) throws -> DemoMetadata? {
        try fetchOne(database, sql: "SELECT * FROM \(table.rawValue)")
    }
}

extension Date {
    fileprivate var roundedDownToSecond: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}
