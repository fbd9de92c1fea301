import Foundation
import GRDB
import SQLiteFiles

/// The metadata of a table filled with demo rows: their count, seed, version and date.
struct DemoMetadata: Sendable {
    /// The metadata table of each kind of row.
    enum Table: String {
        case orders = "demo"
        case deliveries = "demoDeliveries"
        case sols = "demoSols"
    }

    /// The number of stored rows.
    private(set) var count: Int
    private let seed: Int64
    private let version: Int
    /// The date of the last change of the rows, in whole seconds as in HTTP dates.
    private(set) var date: Date

    init(count: Int, seed: UInt64, version: Int, now: Date) {
        self.count = count
        self.seed = Int64(bitPattern: seed)
        self.version = version
        date = now.roundedDownToSecond
    }

    /// Whether both describe the same rows.
    func hasSameRows(as other: DemoMetadata) -> Bool {
        count == other.count && isSameDemo(as: other)
    }

    /// Whether one describes the first rows of the other.
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
    init(row: Row) throws {
        count = try row.checked("count")
        seed = try row.checked("seed")
        version = try row.checked("version")
        date = Date(timeIntervalSince1970: TimeInterval(try row.checked("seconds", as: Int64.self)))
    }

    static func fetchOne(in table: Table, _ database: Database) throws -> DemoMetadata? {
        try fetchOne(database, sql: "SELECT * FROM \(table.rawValue)")
    }
}

extension Date {
    fileprivate var roundedDownToSecond: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}
