import Foundation
import GRDB

// MARK: - Reading

extension OriginDatabase {
    /// Returns all ids in ascending order.
    func orderIDs() async throws -> [Int] {
        try await writer.read { database in
            try Int.fetchAll(database, sql: "SELECT id FROM orders ORDER BY id")
        }
    }

    /// Returns an order. The read needs no transaction, which would cost more than its single statement.
    func order(_ id: Int) async throws -> Order? {
        try await writer.unsafeRead { database in
            try Order.fetchOne(database.cachedStatement(sql: Order.selectSQL), arguments: [id])
        }
    }
}

// MARK: - Populating

extension OriginDatabase {
    /// Replaces the stored orders with those of a demo in one transaction, and returns the date of their last change.
    ///
    /// Changes nothing when they are stored already, or when the stored orders are not those of a demo.
    func fill(with demo: DemoOrders, now: Date) async throws(OriginError) -> Date {
        do {
            return try await writer.write { database in
                let stored = try DemoMetadata.fetchOne(in: .orders, database)
                if let stored, stored.hasSameRows(as: demo.metadata(now: now)) { return stored.date }
                if stored == nil, try !Order.isTableEmpty(database) { return now }
                return try Self.replaceAll(in: database, with: demo, now: now).date
            }
        } catch {
            throw Self.originError(error, file: file)
        }
    }

    /// Whether the stored orders are those of a demo.
    func hasDemoOrders() async throws(OriginError) -> Bool {
        do {
            return try await writer.read { try DemoMetadata.fetchOne(in: .orders, $0) } != nil
        } catch {
            throw Self.originError(error, file: file)
        }
    }

    private static func replaceAll(in database: Database, with demo: DemoOrders, now: Date) throws -> DemoMetadata {
        try database.execute(sql: "DELETE FROM orders")
        let statement = try database.makeStatement(sql: Order.insertSQL)
        for id in demo.ids {
            try statement.execute(arguments: demo.order(id).arguments())
        }
        return try demo.metadata(now: now).save(in: .orders, database)
    }
}

extension Order {
    fileprivate static func isTableEmpty(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT id FROM orders LIMIT 1") == nil
    }
}
