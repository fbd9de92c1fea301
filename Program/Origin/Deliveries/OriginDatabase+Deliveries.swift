import Foundation
import GRDB
import SQLiteFiles

// MARK: - Reading

extension OriginDatabase: DeliveryStore {
    /// Ids are positions, so a page is found by the id of its first row, whatever its offset.
    func deliveries(_ page: DeliveryPage) async throws -> [DeliveryDocuments.Entry] {
        try await writer.unsafeRead { database in
            let statement = try database.cachedStatement(sql: Self.pageSQL)
            return try Row.fetchAll(statement, arguments: [page.offset, page.limit]).map { row in
                (try Delivery(row: row), try row.checked("isFavourite"))
            }
        }
    }

    func index(of key: DeliveryKey) async throws -> Int? {
        try await writer.unsafeRead { database in
            try Int.fetchOne(database, sql: "SELECT id FROM deliveries WHERE id = ? AND key = ?", arguments: [key.index, key.text])
        }
    }

    func deliveryKey(at index: Int) async throws -> DeliveryKey? {
        try await writer.unsafeRead { database in
            try String.fetchOne(database, sql: "SELECT key FROM deliveries WHERE id = ?", arguments: [index]).flatMap(DeliveryKey.init)
        }
    }

    func favourites(in ids: ClosedRange<Int>) async throws -> Set<Int> {
        try await writer.unsafeRead { database in
            try Int.fetchSet(
                database, sql: "SELECT id FROM favourites WHERE id BETWEEN ? AND ? AND isFavourite",
                arguments: [ids.lowerBound, ids.upperBound])
        }
    }

    private static let pageSQL = """
        SELECT deliveries.*, COALESCE(favourites.isFavourite, 0) AS isFavourite
        FROM deliveries LEFT JOIN favourites ON favourites.id = deliveries.id
        WHERE deliveries.id >= ? ORDER BY deliveries.id LIMIT ?
        """
}

// MARK: - Populating

extension OriginDatabase {
    /// The maximum number of deliveries stored in one transaction.
    static let seedBatchSize = 20_000

    /// Replaces the stored deliveries with the given ones, and returns the date of their last change.
    ///
    /// Matching rows remain: another count changes only the end of the list, and an interrupted run resumes. Another seed removes all rows, including
    /// favourites, which referred to other deliveries.
    ///
    /// - Parameter onProgress: Called after each transaction.
    func fill(
        with demo: DemoDeliveries, now: Date, onProgress: @Sendable (SetupProgress) -> Void = { _ in }
    ) async throws(OriginError) -> Date {
        do {
            var stored = try await writer.write { try Self.removeRows(notIn: demo.metadata(now: now), in: $0, now: now) }
            while stored.count < demo.count {
                stored = try await writer.write { [stored] in try Self.append(demo, to: stored, in: $0, now: now) }
                onProgress(SetupProgress(step: .deliveries, completed: stored.count, total: demo.count))
            }
            return stored.date
        } catch {
            throw Self.originError(error, file: file)
        }
    }

    /// Removes the rows that are not part of a demo.
    private static func removeRows(notIn demo: DemoMetadata, in database: Database, now: Date) throws -> DemoMetadata {
        guard let stored = try DemoMetadata.fetchOne(in: .deliveries, database), stored.isSameDemo(as: demo) else {
            for table in ["favourites", "idempotencyKeys", "deliveries"] { try database.execute(sql: "DELETE FROM \(table)") }
            return try demo.withCount(0, now: now).save(in: .deliveries, database)
        }
        guard stored.count > demo.count else { return stored }
        for table in ["favourites", "deliveries"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE id >= ?", arguments: [demo.count])
        }
        return try stored.withCount(demo.count, now: now).save(in: .deliveries, database)
    }

    private static func append(_ demo: DemoDeliveries, to stored: DemoMetadata, in database: Database, now: Date) throws -> DemoMetadata {
        let end = min(stored.count + seedBatchSize, demo.count)
        let statement = try database.cachedStatement(sql: Delivery.insertSQL)
        for id in stored.count..<end { try statement.execute(arguments: demo.delivery(id).arguments) }
        return try stored.withCount(end, now: now).save(in: .deliveries, database)
    }
}
