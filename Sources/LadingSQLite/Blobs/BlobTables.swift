import FileChecksums
import Foundation
import GRDB
import LadingCaching
import SQLiteFiles

/// The tables of a blob store, accessed through one connection.
///
/// `entries` is narrow, because it is read completely on opening and written after accesses. `contents` has the bodies without a file.
struct BlobTables {
    /// A body's entry in the eviction controller.
    struct Entry: Sendable {
        var version: Int64
        var hash: UInt64
        var cost: Int
        /// The number of the body's file; nil for a body in `contents`.
        var file: Int64?

        fileprivate init(_ row: Row) throws {
            (version, hash) = (try row.checked(0), UInt64(bitPattern: try row.checked(1)))
            (cost, file) = (try row.checked(2), try row.checkedIfPresent(3))
        }
    }

    /// The location of a body with its checksums.
    struct BodyLocation: Sendable {
        var length: Int
        var checksums: [UInt64]
        var file: Int64?
        var content: [UInt8]?
    }

    let database: Database
    private let salt: UInt64

    init(_ database: Database, salt: UInt64) {
        (self.database, self.salt) = (database, salt)
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("blobs") { try $0.execute(sql: schema) }
        return migrator
    }

    /// Returns the random seed that makes hashes of keys unpredictable.
    static func salt(of database: Database) throws -> UInt64 {
        guard let salt = try Int64.fetchOne(database, sql: "SELECT value FROM salts") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return UInt64(bitPattern: salt)
    }

    private static let schema = """
        CREATE TABLE entries (
            version INTEGER PRIMARY KEY,
            hash INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            used INTEGER NOT NULL,
            file INTEGER
        ) STRICT;
        CREATE TABLE blobs (
            version INTEGER PRIMARY KEY,
            groupHash INTEGER NOT NULL,
            groupName TEXT NOT NULL,
            name TEXT NOT NULL,
            note BLOB NOT NULL,
            length INTEGER NOT NULL,
            checksums BLOB NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX blobsByGroup ON blobs (groupHash);
        CREATE TABLE contents (version INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;
        CREATE TABLE salts (value INTEGER NOT NULL) STRICT;
        INSERT INTO salts VALUES (random());
        """

    // MARK: Entries

    /// Returns all entries, least recently used first.
    func entries() throws -> [Entry] {
        let rows = try Row.fetchCursor(database, sql: "SELECT version, hash, cost, file FROM entries ORDER BY used")
        var entries: [Entry] = []
        while let row = try rows.next() { entries.append(try Entry(row)) }
        return entries
    }

    /// Returns the entries of some bodies, without those that are not stored.
    func entries(of versions: [Int64]) throws -> [Entry] {
        let statement = try database.cachedStatement(sql: "SELECT version, hash, cost, file FROM entries WHERE version = ?")
        return try versions.compactMap { try Row.fetchOne(statement, arguments: [$0]).map(Entry.init) }
    }

    /// Returns the highest number assigned to a body, a file or an access.
    func lastNumber() throws -> Int64 {
        let sql = "SELECT coalesce(max(max(version), max(used), max(coalesce(file, 0))), 0) FROM entries"
        return try Int64(Row.fetchOne(database, sql: sql)?.checkedNumber(0) ?? 0)
    }

    func save(accesses: [Int64: Int64]) throws {
        let statement = try database.cachedStatement(sql: "UPDATE entries SET used = ? WHERE version = ?")
        for (version, used) in accesses { try statement.execute(arguments: [used, version]) }
    }

    // MARK: Bodies

    /// Returns the bodies of a group, newest first, and the versions of damaged ones.
    func blobs(in group: String) throws -> (blobs: [Blob], damaged: [Int64]) {
        let sql = """
            SELECT version, groupName, name, note, length, checksums, seal FROM blobs WHERE groupHash = ? AND groupName = ? ORDER BY version DESC
            """
        let rows = try database.cachedStatement(sql: sql)
        var (blobs, damaged): ([Blob], [Int64]) = ([], [])
        for row in try Row.fetchAll(rows, arguments: [groupHash(of: group), group]) {
            let version: Int64 = try row.checked(0)
            if let blob = try blob(row) { blobs.append(blob) } else { damaged.append(version) }
        }
        return (blobs, damaged)
    }

    /// Calls `visit` with each version in order and its body; nil for a damaged entry.
    func forEachBlob(_ visit: (Int64, Blob?) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            database, sql: "SELECT version, groupName, name, note, length, checksums, seal FROM blobs ORDER BY version")
        while let row = try rows.next() { try visit(row.checked(0), blob(row)) }
    }

    /// Returns nil if the row is damaged.
    private func blob(_ row: Row) throws -> Blob? {
        let blob = Blob(
            key: BlobKey(group: try row.checked(1), name: try row.checked(2)), version: try row.checked(0),
            metadata: try Array(row.checked(3, as: Data.self)), length: try row.checked(4))
        let checksums = try Self.numbers(row.checked(5, as: Data.self))
        return rowChecksum(of: blob, checksums) == UInt64(bitPattern: try row.checked(6)) ? blob : nil
    }

    func location(of version: Int64) throws -> BodyLocation? {
        let sql = """
            SELECT length, checksums, file, content FROM blobs JOIN entries USING (version) LEFT JOIN contents USING (version) WHERE version = ?
            """
        guard let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [version]) else { return nil }
        return BodyLocation(
            length: try row.checked(0), checksums: try Self.numbers(row.checked(1, as: Data.self)), file: try row.checkedIfPresent(2),
            content: try row.checkedIfPresent(3, as: Data.self).map(Array.init))
    }

    func insert(_ blob: Blob, _ location: BodyLocation) throws {
        try database.cachedStatement(sql: "INSERT INTO entries VALUES (?, ?, ?, ?, ?)").execute(
            arguments: [blob.version, Int64(bitPattern: hash(of: blob.key)), blob.cost, blob.version, location.file])
        try database.cachedStatement(sql: "INSERT INTO blobs VALUES (?, ?, ?, ?, ?, ?, ?, ?)").execute(
            arguments: [
                blob.version, groupHash(of: blob.key.group), blob.key.group, blob.key.name, Data(blob.metadata), blob.length,
                Self.data(location.checksums), Int64(bitPattern: rowChecksum(of: blob, location.checksums)),
            ])
        guard let content = location.content else { return }
        try database.cachedStatement(sql: "INSERT INTO contents VALUES (?, ?)").execute(arguments: [blob.version, Data(content)])
    }

    /// Replaces the metadata of a body. Returns false if it is not stored.
    func update(_ blob: Blob) throws -> Bool {
        guard let location = try location(of: blob.version), location.length == blob.length else { return false }
        try database.execute(
            sql: "UPDATE blobs SET note = ?, seal = ? WHERE version = ?",
            arguments: [Data(blob.metadata), Int64(bitPattern: rowChecksum(of: blob, location.checksums)), blob.version])
        try database.execute(sql: "UPDATE entries SET cost = ? WHERE version = ?", arguments: [blob.cost, blob.version])
        return true
    }

    /// Removes bodies and returns their entries.
    func remove(_ versions: [Int64]) throws -> [Entry] {
        let removed = try entries(of: versions)
        for table in ["entries", "blobs", "contents"] {
            let deletion = try database.cachedStatement(sql: "DELETE FROM \(table) WHERE version = ?")
            for version in versions { try deletion.execute(arguments: [version]) }
        }
        return removed
    }

    // MARK: Checksums

    func hash(of key: BlobKey) -> UInt64 { Self.hash(of: key, salt: salt) }

    static func hash(of key: BlobKey, salt: UInt64) -> UInt64 {
        Checksum.of(Array(key.name.utf8), seed: Checksum.of(Array(key.group.utf8), seed: salt))
    }

    private func groupHash(of group: String) -> Int64 { Int64(bitPattern: Checksum.of(Array(group.utf8), seed: salt)) }

    /// Returns the checksum of the description of a body.
    private func rowChecksum(of blob: Blob, _ checksums: [UInt64]) -> UInt64 {
        let numbers = Self.data([hash(of: blob.key), UInt64(bitPattern: blob.version), UInt64(bitPattern: Int64(blob.length))] + checksums)
        return Checksum.of(blob.metadata, seed: Checksum.of(numbers))
    }

    private static func data(_ numbers: [UInt64]) -> Data {
        Data(numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } })
    }

    private static func numbers(_ data: Data) throws -> [UInt64] {
        guard data.count.isMultiple(of: 8) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        let bytes = Array(data)
        return stride(from: 0, to: bytes.count, by: 8).map { start in
            (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
        }
    }
}
