package import GRDB
package import OrderLifecycle
package import OrderStorage
import SQLiteFiles

extension SQLiteOrderStore {
    package func position() async throws -> ChangePosition {
        try await writer.read { try Self.position(in: $0) }
    }

    package func order(_ id: Int) async throws -> OrderRecord? {
        try await writer.read { try OrderRecord.fetchOne($0, id: id) }
    }

    package func openOrderIDs(demoOnly: Bool) async throws -> [Int] {
        let condition = "state = 'open'" + (demoOnly ? " AND isDemo" : "")
        return try await writer.read { try Int.fetchAll($0, sql: "SELECT id FROM orders WHERE \(condition) ORDER BY id") }
    }

    package func orders(_ query: BoardQuery) async throws -> OrderPage {
        try await writer.read { database in
            let found = try BoardStatement.orders(query, textMatches, in: database)
            return OrderPage(orders: found.orders, next: found.next, position: try Self.position(in: database))
        }
    }

    package func counts(at now: Timestamp) async throws -> OrderCounts {
        try await writer.read { database in
            let rows = try Row.fetchAll(database.cachedStatement(sql: "SELECT state, count FROM stateCounts WHERE count > 0"))
            let states = try rows.compactMap { row in
                try OrderState(rawValue: row.checked("state")).map { ($0, try row.checked("count", as: Int.self)) }
            }
            let attention = try BoardStatement.attentionCount(at: now, in: database)
            let held = try Row.fetchAll(database.cachedStatement(sql: BoardStatement.heldCountSQL)).map { row in
                (PersonID(rawValue: try row.checked("holder")), try row.checked("count", as: Int.self))
            }
            return OrderCounts(
                states: Dictionary(uniqueKeysWithValues: states), attention: attention, held: Dictionary(uniqueKeysWithValues: held))
        }
    }

    package func history(of order: Int) async throws -> OrderHistory? {
        try await writer.read { database in
            guard let record = try OrderRecord.fetchOne(database, id: order) else { return nil }
            return OrderHistory(
                record: record, events: try Self.events(of: order, in: database), reports: try Self.reports(of: order, in: database),
                proofs: try Self.proofs(ofOrder: order, in: database), fenceFloor: try Self.fenceFloor(in: database))
        }
    }

    package func changes(after position: ChangePosition, limit: Int) async throws -> ChangePage {
        try await writer.read { database in
            let current = try Self.position(in: database)
            let oldest = try Int64.fetchOne(database, sql: "SELECT MIN(position) FROM orderChanges") ?? current.number + 1
            guard position.epoch == current.epoch, position.number >= oldest - 1, position.number <= current.number else {
                throw OrderStoreError.positionExpired(current: current)
            }
            let rows = try Row.fetchCursor(database, sql: Self.changesSQL, arguments: [position.number, limit])
            let changes = try Array(rows.map { try Self.change($0, epoch: current.epoch) })
            let end = changes.last?.position ?? current
            return ChangePage(changes: changes, position: end, hasMore: end.number < current.number)
        }
    }

    /// Selects in the order of commits, which in SQLite is that of the positions: writers exclude each other.
    private static let changesSQL = """
        SELECT position, orderChanges.orderID, orderChanges.event AS eventNumber, orderChanges.report AS reportNumber, previousHolder, wasOpen,
            orderEvents.event, orderReports.report
        FROM orderChanges
        LEFT JOIN orderEvents ON orderEvents.orderID = orderChanges.orderID AND orderEvents.number = orderChanges.event
        LEFT JOIN orderReports ON orderReports.orderID = orderChanges.orderID AND orderReports.number = orderChanges.report
        WHERE position > ? ORDER BY position LIMIT ?
        """

    private static func change(_ row: Row, epoch: String) throws -> OrderChange {
        let reportNumber: Int? = try row.checked("reportNumber")
        let holder: String? = try row.checked("previousHolder")
        return try OrderChange(
            position: ChangePosition(epoch: epoch, number: row.checked("position")), order: row.checked("orderID"),
            content: reportNumber.map { .report(number: $0, try JSONColumn.decode(row.checked("report"))) }
                ?? .event(JSONColumn.decode(row.checked("event"))),
            previousHolder: holder.map(PersonID.init(rawValue:)), wasOpen: row.checked("wasOpen"))
    }

    /// Returns the end of the change feed; `sqlite_sequence` contains the last position, also of deleted changes.
    static func position(in database: Database) throws -> ChangePosition {
        let sql = "SELECT epoch, (SELECT seq FROM sqlite_sequence WHERE name = 'orderChanges') AS number FROM orderMetadata"
        guard let row = try Row.fetchOne(database.cachedStatement(sql: sql)) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the database has no epoch")
        }
        return ChangePosition(epoch: try row.checked("epoch"), number: try row.checked("number", as: Int64?.self) ?? 0)
    }

    /// Begins an epoch, in which positions of the previous one are not valid.
    static func beginEpoch(in database: Database) throws {
        try database.execute(sql: "UPDATE orderMetadata SET epoch = lower(hex(randomblob(8)))")
    }

    /// Begins an epoch after commits may have been lost: fences of the previous one are stale too, ids of lost orders are not used again, and
    /// sign-in links are deleted.
    ///
    /// A link may have been used or revoked by a commit that is lost.
    ///
    /// - Parameter number: A number above all fences and ids that may be lost. The present time in seconds since 1970 is one, unless an order has
    ///   changed hands each second, or one order was created each second.
    package static func beginEpochAfterLoss(above number: Int, in database: Database) throws {
        try beginEpoch(in: database)
        try database.execute(sql: "UPDATE orderMetadata SET fenceFloor = MAX(fenceFloor + 1, ?)", arguments: [number])
        try database.execute(sql: "UPDATE orders SET fence = MAX(fence, (SELECT fenceFloor FROM orderMetadata))")
        try database.execute(sql: "DELETE FROM signInLinks")
    }

    /// Returns the highest id that an order has or may have had: ids up to the first fence of the epoch may be those of orders that are lost.
    package static func lastOrderID(in database: Database) throws -> Int {
        let last = try Int.fetchOne(database.cachedStatement(sql: "SELECT MAX(id) FROM orders")) ?? 0
        return max(last, try fenceFloor(in: database).rawValue)
    }
}
