package import GRDB
import LadingCaching
package import OrderLifecycle
package import OrderStorage
import SQLiteFiles

/// A store of orders in a SQLite database.
///
/// The owner of the database opens it with `synchronous=FULL` and applies `registerMigrations`.
package struct SQLiteOrderStore: OrderStore {
    let writer: any DatabaseWriter
    let limits: LifecycleLimits
    /// Whether the database is on disk. Writes to one in memory that replaces it on a full disk throw `SQLITE_FULL`, as they would be lost.
    private let isStored: Bool
    /// The orders that contain texts that were searched for recently.
    let textMatches = TextMatches.Cache(costLimit: 4 << 20)

    package init(_ writer: any DatabaseWriter, limits: LifecycleLimits = LifecycleLimits(), isStored: Bool = true) {
        self.writer = writer
        self.limits = limits
        self.isStored = isStored
    }

    /// Performs an update in one transaction, which is durable when the method returns.
    func write<Value: Sendable>(_ update: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        guard isStored else { throw DatabaseError(resultCode: .SQLITE_FULL) }
        return try await writer.write(update)
    }
}

// MARK: - Commands

extension SQLiteOrderStore {
    package func perform(_ command: OrderStoreCommand, at now: Timestamp) async throws -> CommandResult {
        try await write { database in
            if let verdict = try Self.verdict(of: command, in: database) { return CommandResult(verdict, isRepeated: true) }
            let verdict = try apply(command, at: now, in: database)
            if verdict.isFinal { try Self.store(verdict, of: command, in: database) }
            return CommandResult(verdict)
        }
    }

    package func verdict(forKey key: String, of person: PersonID) async throws -> StoredVerdict? {
        try await writer.read { database in
            let sql = "SELECT verdict FROM verdicts WHERE person = ? AND key = ?"
            return try String.fetchOne(database, sql: sql, arguments: [person.rawValue, key]).map { try JSONColumn.decode($0) }
        }
    }

    package func expireLeases(at now: Timestamp, limit: Int) async throws -> Int {
        // Most searches find nothing, and a read does not wait for other writers.
        guard try await writer.read({ try !Self.expiredOrders(at: now, limit: 1, in: $0).isEmpty }) else { return 0 }
        return try await write { database in
            let ids = try Self.expiredOrders(at: now, limit: limit, in: database)
            for id in ids {
                let sender = OrderLifecycle.Sender(nil, role: .server, actionTime: now)
                let command = OrderStoreCommand(.lifecycle(order: id, .expire), from: sender, key: "", fingerprint: "")
                _ = try apply(command, at: now, in: database)
            }
            return ids.count
        }
    }

    private static func expiredOrders(at now: Timestamp, limit: Int, in database: Database) throws -> [Int] {
        let sql = "SELECT id FROM orders WHERE state = 'claimed' AND leaseEnd <= ? ORDER BY leaseEnd LIMIT ?"
        return try Int.fetchAll(database.cachedStatement(sql: sql), arguments: [now.milliseconds, limit])
    }

    /// Returns the stored verdict of a command with this key; nil for a new key.
    ///
    /// - Throws: `OrderStoreError.keyReused` when the key belongs to another command.
    private static func verdict(of command: OrderStoreCommand, in database: Database) throws -> StoredVerdict? {
        let sql = "SELECT fingerprint, verdict FROM verdicts WHERE person = ? AND key = ?"
        let arguments: StatementArguments = [command.personText, command.key]
        guard let row = try Row.fetchOne(database, sql: sql, arguments: arguments) else { return nil }
        guard try row.checked("fingerprint", as: String.self) == command.fingerprint else { throw OrderStoreError.keyReused }
        return try JSONColumn.decode(row.checked("verdict"))
    }

    private static func store(_ verdict: StoredVerdict, of command: OrderStoreCommand, in database: Database) throws {
        try database.execute(
            sql: "INSERT INTO verdicts (person, key, fingerprint, verdict, milliseconds) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                command.personText, command.key, command.fingerprint, try JSONColumn.encode(verdict), verdict.acceptanceTime.milliseconds,
            ])
    }

    /// Decides a command on the stored order, and writes the decision.
    func apply(_ command: OrderStoreCommand, at now: Timestamp, in database: Database) throws -> StoredVerdict {
        if case .create = command.change {
            var creation = try OrderCreation(database, limits: limits)
            let verdict = try creation.create(command, at: now)
            try creation.finish()
            return verdict
        }
        guard let id = command.order, let order = try storedOrder(id, for: command, in: database) else {
            return StoredVerdict(.orderUnknown, order: nil, state: nil, version: nil, acceptanceTime: now)
        }
        let decision = order.decision(on: command, at: now)
        try OrderWriting(database).write(decision, on: order)
        return decision.verdict
    }

    private func storedOrder(_ id: Int, for command: OrderStoreCommand, in database: Database) throws -> StoredOrder? {
        guard let lifecycle = try lifecycle(of: id, in: database) else { return nil }
        let reports = try Self.reports(of: id, in: database)
        return StoredOrder(
            id: id, lifecycle: lifecycle, reports: reports.map(\.report),
            settledReports: Set(reports.filter(\.isSettled).map(\.number)),
            proofs: try Self.proofs(for: command.sender, order: id, in: database))
    }

    /// Derives the lifecycle of an order from its events; nil if the order is unknown.
    func lifecycle(of id: Int, in database: Database) throws -> OrderLifecycle? {
        let statement = try database.cachedStatement(sql: "SELECT leaseEnd FROM orders WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
        var order = OrderLifecycle(
            events: try Self.events(of: id, in: database), leaseEnd: try row.timestamp("leaseEnd"), limits: limits)
        order.beginEpoch(at: try Self.fenceFloor(in: database))
        return order
    }

    /// Returns the first fence of the current epoch.
    static func fenceFloor(in database: Database) throws -> Fence {
        Fence(rawValue: try Int.fetchOne(database.cachedStatement(sql: "SELECT fenceFloor FROM orderMetadata")) ?? 0)
    }

    static func events(of id: Int, in database: Database) throws -> [OrderEvent] {
        let statement = try database.cachedStatement(sql: "SELECT event FROM orderEvents WHERE orderID = ? ORDER BY number")
        return try String.fetchAll(statement, arguments: [id]).map { try JSONColumn.decode($0) }
    }

    static func reports(of id: Int, in database: Database) throws -> [StoredReport] {
        let sql = "SELECT number, report, isSettled FROM orderReports WHERE orderID = ? ORDER BY number"
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [id]).map { row in
            try StoredReport(
                number: row.checked("number"), report: JSONColumn.decode(row.checked("report")), isSettled: row.checked("isSettled"))
        }
    }

    /// Returns the proofs of an order to which a sender may refer: only their own for a courier.
    private static func proofs(for sender: OrderLifecycle.Sender, order: Int, in database: Database) throws -> Set<ProofDigest> {
        let isCourier = sender.role == .courier
        let sql = "SELECT digest FROM proofs WHERE orderID = ?" + (isCourier ? " AND person = ?" : "")
        var arguments: StatementArguments = [order]
        if isCourier { arguments += [sender.person?.rawValue] }
        return Set(try String.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).compactMap(ProofDigest.init(rawValue:)))
    }
}

extension OrderStoreCommand {
    /// The person in the primary key of a verdict; empty for commands of the server.
    fileprivate var personText: String { sender.person?.rawValue ?? "" }
}
