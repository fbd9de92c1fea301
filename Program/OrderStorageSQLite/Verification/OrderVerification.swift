import Digests
import Foundation
package import GRDB
import OrderLifecycle
import OrderStorage
import SQLiteFiles

/// A comparison of the stored orders with their events, and of the proofs with their digests.
package struct OrderVerification {
    private let database: Database
    private var list = ProblemList()

    /// Returns the problems as text for users; empty if none was found, or if the database has no orders yet.
    package static func problems(in database: Database) throws -> [String] {
        guard try database.tableExists("orderEvents") else { return [] }
        var verification = OrderVerification(database: database)
        try verification.checkOrders()
        try verification.checkCounts()
        try verification.checkProofs()
        return verification.list.problems
    }

    private init(database: Database) {
        self.database = database
    }

    private mutating func add(_ problem: String) { list.add(problem) }

    private mutating func checkOrders() throws {
        let orphans = try Int.fetchAll(
            database,
            sql: "SELECT DISTINCT orderID FROM orderEvents WHERE orderID NOT IN (SELECT id FROM orders) LIMIT \(ProblemList.limit)")
        for id in orphans { add("order \(id) has events and no content") }
        let fenceFloor = try SQLiteOrderStore.fenceFloor(in: database)
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM orders ORDER BY id")
        while !list.isFull, let row = try rows.next() {
            let id: Int = try row.checked("id")
            guard let record = try? OrderRecord(row: row), let events = try? SQLiteOrderStore.events(of: id, in: database) else {
                add("order \(id) cannot be read")
                continue
            }
            var replay = OrderReplay()
            for event in events { replay.add(event, number: event.number) }
            if let problem = replay.problem(of: record, fenceFloor: fenceFloor) { add("order \(id): \(problem)") }
            let reports = try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM orderReports WHERE orderID = ? AND NOT isSettled", arguments: [id])
            if reports != record.openReports { add("order \(id): the number of open reports differs from the reports") }
        }
    }

    private mutating func checkCounts() throws {
        // A database of an earlier release has no counts until it is opened.
        guard try database.tableExists("stateCounts") else { return }
        let sql = """
            SELECT state, SUM(count) AS difference FROM (
                SELECT state, count FROM stateCounts UNION ALL SELECT state, -COUNT(*) FROM orders GROUP BY state
            ) GROUP BY state HAVING difference <> 0
            """
        for state in try String.fetchAll(database, sql: sql) { add("the number of orders in the state \"\(state)\" is wrong") }
    }

    private mutating func checkProofs() throws {
        let rows = try Row.fetchCursor(database, sql: "SELECT orderID, digest, contentDigest, length, content FROM proofs")
        while !list.isFull, let row = try rows.next() {
            guard let content: Data = try row.checked("content", as: Data?.self) else { continue }
            let (digest, length): (String, Int) = (try row.checked("contentDigest"), try row.checked("length"))
            guard SHA256.hash(data: content).hexString != digest || content.count != length else { continue }
            let (order, name): (Int, String) = (try row.checked("orderID"), try row.checked("digest"))
            add("order \(order): the proof \(name.prefix(12))… does not have its digest")
        }
        try checkDeliveries()
    }

    /// Checks that each delivered order has its proofs.
    private mutating func checkDeliveries() throws {
        let ids = try Int.fetchAll(
            database,
            sql: """
                SELECT DISTINCT orderEvents.orderID FROM orderEvents, json_each(event, '$.proofs') AS proof
                WHERE NOT EXISTS (SELECT 1 FROM proofs WHERE proofs.orderID = orderEvents.orderID AND digest = proof.value)
                ORDER BY 1 LIMIT \(ProblemList.limit)
                """)
        for id in ids { add("order \(id) was delivered with a proof that is not stored") }
    }
}
