import Foundation
import GRDB

/// The orders on disk, or in memory: the one place that knows the schema and keeps its invariants.
///
/// A file written by a later release is refused before anything in it changes. What was confirmed survives a power cut.
struct OrderDatabase: Sendable {
    static let fileName = "origin.sqlite"

    /// How long a write waits for another connection, in seconds.
    private static let busyTimeout = 5.0
    /// What the write-ahead log shrinks back to, in bytes.
    private static let journalSizeLimit = 16 << 20

    let writer: any DatabaseWriter
    /// Nil in memory.
    private let file: URL?

    /// Opens an empty database in memory.
    init() throws(OriginError) {
        try self.init(file: nil) { try DatabaseQueue() }
    }

    /// Opens or creates the database in a directory that the caller owns.
    init(in directory: URL) throws(OriginError) {
        let file = directory.appending(path: Self.fileName)
        try self.init(file: file) { try Self.pool(at: file) }
    }

    private init(file: URL?, open: () throws -> any DatabaseWriter) throws(OriginError) {
        self.file = file
        do {
            writer = try open()
            try Self.migrator.migrate(writer)
        } catch {
            throw Self.originError(error, file: file)
        }
    }

    private static func pool(at file: URL) throws -> DatabasePool {
        try refuseNewerSchema(of: file)
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        try makeDurable(pool)
        return pool
    }

    private static func originError(_ error: any Error, file: URL?) -> OriginError {
        error as? OriginError ?? .databaseUnusable(file, cause: error)
    }

    func close() throws {
        try writer.close()
    }
}

// MARK: - Reading

extension OrderDatabase {
    /// All ids, ascending.
    func ids() async throws -> [Int] {
        try await writer.read { database in
            try Int.fetchAll(database, sql: "SELECT id FROM orders ORDER BY id")
        }
    }

    /// One statement needs no transaction around it, which would cost more than the look-up.
    func order(_ id: Int) async throws -> Order? {
        try await writer.unsafeRead { database in
            try Order.fetchOne(database.cachedStatement(sql: Order.selection), arguments: [id])
        }
    }
}

// MARK: - Filling

extension OrderDatabase {
    /// Makes the stored city the given one, and says since when it has been.
    ///
    /// Nothing changes when it is stored already, nor when the orders did not come from a demo. All or nothing.
    func fill(with demo: DemoOrders, now: Date) async throws(OriginError) -> Date {
        do {
            return try await writer.write { database in
                let stored = try StoredDemo.fetchOne(database)
                if let stored, stored.holds(demo) { return stored.date }
                if stored == nil, try !Order.isTableEmpty(database) { return now }
                return try Self.replaceAll(in: database, with: demo, now: now).date
            }
        } catch {
            throw Self.originError(error, file: file)
        }
    }

    private static func replaceAll(in database: Database, with demo: DemoOrders, now: Date) throws -> StoredDemo {
        try database.execute(sql: "DELETE FROM orders")
        let insertion = try database.makeStatement(sql: Order.insertion)
        for id in demo.ids {
            try insertion.execute(arguments: demo.order(id).arguments())
        }
        return try StoredDemo(demo, now: now).replace(in: database)
    }
}

extension Order {
    fileprivate static func isTableEmpty(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT id FROM orders LIMIT 1") == nil
    }
}

// MARK: - Schema

extension OrderDatabase {
    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("orders") { database in
            try database.execute(sql: schemaOfOrders)
        }
        return migrator
    }

    private static let schemaOfOrders = """
        CREATE TABLE orders (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            title TEXT NOT NULL,
            info TEXT NOT NULL,
            price TEXT NOT NULL,
            currency TEXT NOT NULL,
            itemCount INTEGER NOT NULL CHECK (itemCount >= 0),
            deliveryDate TEXT NOT NULL,
            address TEXT NOT NULL,
            radius REAL NOT NULL CHECK (radius >= 0),
            radiusUnit TEXT NOT NULL,
            latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            items TEXT NOT NULL CHECK (json_valid(items))
        ) STRICT;
        CREATE TABLE demo (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            count INTEGER NOT NULL,
            seed INTEGER NOT NULL,
            version INTEGER NOT NULL,
            seconds INTEGER NOT NULL
        ) STRICT;
        """

    /// Looks through a connection that cannot write, because opening a pool already changes the file.
    private static func refuseNewerSchema(of file: URL) throws {
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        defer { try? queue.close() }
        let applied = try queue.read { try migrator.appliedIdentifiers($0) }
        let unknown = applied.subtracting(migrator.migrations)
        guard unknown.isEmpty else { throw OriginError.newerSchema(file, migrations: unknown.sorted()) }
    }

    /// The pool chooses `synchronous=NORMAL` on its own when it opens, which can lose confirmed writes in a power cut.
    private static func makeDurable(_ pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA journal_size_limit = \(journalSizeLimit)")
        }
    }
}
