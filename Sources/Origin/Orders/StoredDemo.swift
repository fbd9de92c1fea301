import Foundation
import GRDB

/// The record that the stored orders are a demo city, and which one.
struct StoredDemo: Sendable {
    private let count: Int
    private let seed: Int64
    private let version: Int
    /// When it was generated; whole seconds, as HTTP dates are.
    let date: Date

    init(_ demo: DemoOrders, now: Date) {
        count = demo.count
        seed = Int64(bitPattern: demo.seed)
        version = DemoOrders.version
        date = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
    }

    func holds(_ demo: DemoOrders) -> Bool {
        count == demo.count && seed == Int64(bitPattern: demo.seed) && version == DemoOrders.version
    }

    func replace(in database: Database) throws -> StoredDemo {
        try database.execute(
            sql: "INSERT OR REPLACE INTO demo (id, count, seed, version, seconds) VALUES (1, ?, ?, ?, ?)",
            arguments: [count, seed, version, Int64(date.timeIntervalSince1970)]
        )
        return self
    }
}

extension StoredDemo: FetchableRecord {
    init(row: Row) {
        count = row["count"]
        seed = row["seed"]
        version = row["version"]
        date = Date(timeIntervalSince1970: TimeInterval(row["seconds"] as Int64))
    }

    static func fetchOne(_ database: Database) throws -> StoredDemo? {
        try fetchOne(database, sql: "SELECT * FROM demo")
    }
}
