import GRDB
package import OrderLifecycle
package import OrderStorage
import SQLiteFiles

extension SQLiteOrderStore: OrderImportStore {
    package func stage(_ orders: [StagedOrder], inImport id: String, at now: Timestamp) async throws {
        try await write { database in
            try database.execute(
                sql: "INSERT INTO imports (id, milliseconds) VALUES (?, ?) ON CONFLICT DO UPDATE SET milliseconds = excluded.milliseconds",
                arguments: [id, now.milliseconds])
            let numberSQL = "SELECT COALESCE(MAX(number), 0) FROM stagedOrders WHERE importID = ?"
            let lastNumber = try Int.fetchOne(database, sql: numberSQL, arguments: [id]) ?? 0
            let statement = try database.cachedStatement(
                sql: "INSERT INTO stagedOrders (importID, number, externalID, content) VALUES (?, ?, ?, ?)")
            for (number, order) in zip((lastNumber + 1)..., orders) {
                try statement.execute(arguments: [id, number, order.externalID, try JSONColumn.encode(order.content)])
            }
        }
    }

    package func acceptImport(
        _ id: String, count: Int, digest: String, by person: PersonID?, at now: Timestamp
    ) async throws {
        try await write { database in
            let sql = "SELECT COUNT(*) FROM stagedOrders WHERE importID = ?"
            guard try Int.fetchOne(database, sql: sql, arguments: [id]) == count else { throw OrderStoreError.importDiscarded }
            let isRepeated = try Self.isRepeated(id, digest: digest, in: database)
            try database.execute(
                sql: """
                    INSERT INTO imports (id, digest, person, isAccepted, isRepeated, milliseconds) VALUES (?, ?, ?, 1, ?, ?)
                    ON CONFLICT DO UPDATE SET digest = excluded.digest, person = excluded.person, isAccepted = 1, isRepeated = excluded.isRepeated
                    """, arguments: [id, digest, person?.rawValue, isRepeated, now.milliseconds])
        }
    }

    /// Whether an earlier import has created the orders without an external id.
    private static func isRepeated(_ id: String, digest: String, in database: Database) throws -> Bool {
        let file = String(digest.prefix { $0 != " " })
        let earlier = try String.fetchAll(
            database, sql: "SELECT digest FROM imports WHERE isAccepted AND (digest = ? OR digest LIKE ? || ' %')", arguments: [file, file])
        if earlier.contains(file) || earlier.contains(digest) { return true }
        let sql = "SELECT EXISTS (SELECT 1 FROM stagedOrders WHERE importID = ? AND externalID IS NULL)"
        if try !earlier.isEmpty && Bool.fetchOne(database, sql: sql, arguments: [id]) == true { throw OrderStoreError.rowsSkippedBefore }
        return false
    }

    package func discardImport(_ id: String) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM imports WHERE id = ? AND NOT isAccepted", arguments: [id])
        }
    }

    package func discardImports(before time: Timestamp) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM imports WHERE NOT isAccepted AND milliseconds < ?", arguments: [time.milliseconds])
        }
    }

    package func unfinishedImports() async throws -> [String] {
        try await writer.read {
            try String.fetchAll($0, sql: "SELECT id FROM imports WHERE isAccepted AND NOT isFinished ORDER BY milliseconds")
        }
    }

    package func continueImport(_ id: String, limit: Int, at now: Timestamp) async throws -> ImportProgress {
        try await write { database in
            let sql = "SELECT person, isAccepted, isRepeated, isFinished, created, existing FROM imports WHERE id = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id]), try row.checked("isAccepted") else {
                return ImportProgress(created: 0, existing: 0, isFinished: true)
            }
            var (created, existing): (Int, Int) = (try row.checked("created"), try row.checked("existing"))
            let staged = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT number, externalID, content FROM stagedOrders WHERE importID = ? ORDER BY number LIMIT ?"),
                arguments: [id, limit])
            let (person, isRepeated): (String?, Bool) = (try row.checked("person"), try row.checked("isRepeated"))
            let sender = OrderLifecycle.Sender(person.map(PersonID.init(rawValue:)), role: .dispatcher, actionTime: now)
            var creation = try OrderCreation(database, limits: limits)
            for order in staged {
                let externalID: String? = try order.checked("externalID")
                if externalID == nil, isRepeated {
                    existing += 1
                    continue
                }
                let change = OrderStoreCommand.Change.create(try JSONColumn.decode(order.checked("content")), externalID: externalID)
                let verdict = try creation.create(OrderStoreCommand(change, from: sender, key: "", fingerprint: ""), at: now)
                if case .accepted = verdict.outcome { created += 1 } else { existing += 1 }
            }
            try creation.finish()
            if let last: Int = try staged.last?.checked("number") {
                try database.execute(sql: "DELETE FROM stagedOrders WHERE importID = ? AND number <= ?", arguments: [id, last])
            }
            let isFinished = staged.count < limit
            try database.execute(
                sql: "UPDATE imports SET created = ?, existing = ?, isFinished = ? WHERE id = ?",
                arguments: [created, existing, isFinished, id])
            return ImportProgress(created: created, existing: existing, isFinished: isFinished)
        }
    }
}
