import GRDB

/// The tables of a record store.
///
/// The key of `records` is the place, so rows are stored in list order. The other tables are derived from rows: `texts` for searching, `anchors` for
/// finding an index, `keys` for sorting, `nearby` for distances.
enum RecordTables {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("records") { try $0.execute(sql: schema) }
        return migrator
    }

    /// The statements that remove everything except local changes.
    static let clear = """
        DELETE FROM records; DELETE FROM runs; DELETE FROM texts; DELETE FROM anchors; DELETE FROM keys; DELETE FROM nearby;
        """

    /// The statements that empty the derived tables.
    static let clearDerived = "DELETE FROM texts; DELETE FROM keys; DELETE FROM nearby;"

    private static let schema = """
        CREATE TABLE records (
            place INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            generation INTEGER NOT NULL,
            stored REAL NOT NULL,
            latitude REAL,
            longitude REAL,
            content BLOB NOT NULL
        ) STRICT;
        CREATE TABLE runs (
            start INTEGER PRIMARY KEY,
            stop INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            previous TEXT,
            next TEXT,
            isEnd INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE changes (
            id TEXT NOT NULL,
            name TEXT NOT NULL,
            value BLOB NOT NULL,
            PRIMARY KEY (id, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE texts (chunk INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;
        CREATE TABLE anchors (anchor INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
        CREATE TABLE keys (
            sort INTEGER NOT NULL,
            isMissing INTEGER NOT NULL,
            value ANY NOT NULL,
            place INTEGER NOT NULL,
            PRIMARY KEY (sort, isMissing, value, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX keysByPlace ON keys (place);
        CREATE VIRTUAL TABLE nearby USING rtree(place, minX, maxX, minY, maxY, minZ, maxZ);
        CREATE TABLE properties (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
        """
}
