import GRDB
import OrderStorageSQLite

/// The tables of the database, and the invariants that each enforces.
extension OriginDatabase {
    static func migrator(_ onProgress: @escaping @Sendable (SetupProgress) -> Void = { _ in }) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("orders") { database in
            try database.execute(sql: schemaOfOrders)
        }
        migrator.registerMigration("deliveries") { database in
            try database.execute(sql: schemaOfDeliveries)
        }
        migrator.registerMigration("sols") { database in
            try database.execute(sql: schemaOfSols)
        }
        SQLiteOrderStore.registerMigrations(in: &migrator) { completed, total in
            onProgress(SetupProgress(step: .upgrade, completed: completed, total: total))
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

    /// The tables of deliveries, whose ids are their indices in the list: from 0, without gaps.
    ///
    /// Favourites have no foreign key: checking it when a million rows are deleted takes longer than the deletion.
    private static let schemaOfDeliveries = """
        CREATE TABLE deliveries (
            id INTEGER PRIMARY KEY CHECK (id >= 0),
            key TEXT NOT NULL,
            recipient TEXT NOT NULL,
            cargo TEXT NOT NULL,
            picture INTEGER NOT NULL,
            address TEXT,
            latitude REAL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL CHECK (longitude BETWEEN -180 AND 180),
            origin TEXT NOT NULL,
            destination TEXT NOT NULL,
            senderName TEXT NOT NULL,
            senderPhone TEXT NOT NULL,
            senderEmail TEXT NOT NULL,
            remarks TEXT NOT NULL,
            pickupTime TEXT NOT NULL,
            feeCents INTEGER NOT NULL CHECK (feeCents >= 0),
            surchargeCents INTEGER NOT NULL CHECK (surchargeCents >= 0),
            CHECK ((address IS NULL) = (latitude IS NULL) AND (address IS NULL) = (longitude IS NULL))
        ) STRICT;
        CREATE TABLE demoDeliveries (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            count INTEGER NOT NULL,
            seed INTEGER NOT NULL,
            version INTEGER NOT NULL,
            seconds INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE favourites (
            id INTEGER PRIMARY KEY CHECK (id >= 0),
            isFavourite INTEGER NOT NULL CHECK (isFavourite IN (0, 1)),
            milliseconds INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE idempotencyKeys (
            number INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            request TEXT NOT NULL,
            reply TEXT NOT NULL,
            seconds INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX idempotencyKeysBySeconds ON idempotencyKeys (seconds);
        """

    /// The `cameras` column has one line per camera: its code and a count.
    private static let schemaOfSols = """
        CREATE TABLE sols (
            rover TEXT NOT NULL,
            sol INTEGER NOT NULL CHECK (sol >= 0),
            firstPhoto INTEGER NOT NULL,
            photos INTEGER NOT NULL CHECK (photos > 0),
            cameras TEXT NOT NULL,
            PRIMARY KEY (rover, sol)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE demoSols (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            count INTEGER NOT NULL,
            seed INTEGER NOT NULL,
            version INTEGER NOT NULL,
            seconds INTEGER NOT NULL
        ) STRICT;
        """
}
