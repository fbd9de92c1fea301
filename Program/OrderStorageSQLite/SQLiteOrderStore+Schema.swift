package import GRDB

/// The tables of the store, and the invariants that each enforces.
extension SQLiteOrderStore {
    /// Registers the migrations of the store, after the one that has created the table `orders` of earlier releases.
    ///
    /// - Parameter onProgress: Called while orders of earlier releases are replaced, with the number of completed steps and of all.
    package static func registerMigrations(
        in migrator: inout DatabaseMigrator, onProgress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) {
        migrator.registerMigration("orderLifecycle") { database in
            let isUpgrade = try Int.fetchOne(database, sql: "SELECT id FROM orders LIMIT 1") != nil
            if isUpgrade { onProgress(0, completionSteps.count) }
            try database.execute(sql: schemaOfOrders)
            try database.execute(sql: schemaOfEvents)
            try database.execute(sql: schemaOfPeople)
            try database.execute(sql: schemaOfProofs)
            try database.execute(sql: "INSERT INTO orderMetadata (id, epoch) VALUES (1, lower(hex(randomblob(8))))")
            try completeInsertedOrders(in: database) { if isUpgrade { onProgress($0, $1) } }
        }
        migrator.registerMigration("orderTable") { try $0.execute(sql: indexesOfStates) }
        migrator.registerMigration("imports") { try $0.execute(sql: schemaOfImports) }
        migrator.registerMigration("heldOrders") { try $0.execute(sql: indexesOfHeldOrders) }
        migrator.registerMigration("stateCounts") { try $0.execute(sql: schemaOfStateCounts) }
        migrator.registerMigration("textVersion") { try $0.execute(sql: columnOfTextVersion) }
        migrator.registerMigration("pruneTime") { try $0.execute(sql: columnOfPruneTime) }
    }

    /// Returns an empty store in memory, for tests and simulations.
    package static func inMemory() throws -> SQLiteOrderStore {
        let database = try DatabaseQueue()
        var migrator = DatabaseMigrator()
        migrator.registerMigration("orders") { try $0.execute(sql: tablesOfPreviousReleases) }
        registerMigrations(in: &migrator)
        try migrator.migrate(database)
        return SQLiteOrderStore(database)
    }

    /// The tables that the migration replaces.
    private static let tablesOfPreviousReleases = """
        CREATE TABLE orders (id INTEGER PRIMARY KEY, title TEXT, info TEXT, price TEXT, currency TEXT, itemCount INTEGER, deliveryDate TEXT,
            address TEXT, radius REAL, radiusUnit TEXT, latitude REAL, longitude REAL, items TEXT);
        CREATE TABLE demo (id INTEGER PRIMARY KEY);
        """

    /// Adds the events and index entries of orders that were inserted with their content only.
    ///
    /// - Parameter onProgress: Called after each step, with the number of completed steps and of all.
    static func completeInsertedOrders(in database: Database, onProgress: (Int, Int) -> Void = { _, _ in }) throws {
        for (number, sql) in completionSteps.enumerated() {
            try database.execute(sql: sql)
            onProgress(number + 1, completionSteps.count)
        }
    }

    /// Statements on whole tables take a tenth of the time of those for each order.
    private static let completionSteps = [
        """
        INSERT INTO orderEvents (orderID, number, event)
        SELECT id, 1, json_object('number', 1, 'action', 'create', 'state', 'open', 'fence', 0, 'actionTime', now, 'acceptanceTime', now,
            'isHandover', json('false'), 'missingItems', json('[]'), 'proofs', json('[]'))
        FROM orders, (SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000 AS now) WHERE eventCount = 0
        """,
        "UPDATE orders SET eventCount = 1 WHERE eventCount = 0",
        "INSERT INTO orderTexts (orderTexts) VALUES ('rebuild')",
        "DELETE FROM openPlaces; \(OrderWriting.insertPlaceSQL)",
    ]

    /// The table of orders, with the demo's orders of earlier releases. The state columns are derived from the events.
    private static let schemaOfOrders = """
        CREATE TABLE newOrders (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            externalID TEXT UNIQUE,
            title TEXT NOT NULL,
            info TEXT NOT NULL,
            price TEXT NOT NULL,
            currency TEXT NOT NULL,
            amount INTEGER NOT NULL DEFAULT 0,
            itemCount INTEGER NOT NULL CHECK (itemCount >= 0),
            deliveryDate TEXT NOT NULL,
            due INTEGER,
            address TEXT NOT NULL,
            radius REAL NOT NULL CHECK (radius >= 0),
            radiusUnit TEXT NOT NULL,
            latitude REAL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL CHECK (longitude BETWEEN -180 AND 180),
            items TEXT NOT NULL CHECK (json_valid(items)),
            pin TEXT,
            isDemo INTEGER NOT NULL DEFAULT 0 CHECK (isDemo IN (0, 1)),
            state TEXT NOT NULL DEFAULT 'open',
            fence INTEGER NOT NULL DEFAULT 0,
            holder TEXT,
            heldSince INTEGER,
            leaseEnd INTEGER,
            deadline INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            eventCount INTEGER NOT NULL DEFAULT 0,
            openReports INTEGER NOT NULL DEFAULT 0 CHECK (openReports >= 0),
            wrongPINs INTEGER NOT NULL DEFAULT 0,
            CHECK ((latitude IS NULL) = (longitude IS NULL)),
            CHECK ((state = 'claimed') = (leaseEnd IS NOT NULL))
        ) STRICT;
        INSERT INTO newOrders (id, title, info, price, currency, amount, itemCount, deliveryDate, address, radius, radiusUnit, latitude,
            longitude, items, isDemo)
        SELECT id, title, info, price, currency, CAST(round(CAST(price AS REAL) * 1000) AS INTEGER), itemCount, deliveryDate, address, radius,
            radiusUnit, latitude, longitude, items, EXISTS (SELECT 1 FROM demo) FROM orders;
        DROP TABLE orders;
        ALTER TABLE newOrders RENAME TO orders;
        CREATE INDEX openOrdersByPrice ON orders (currency, amount, id) WHERE state = 'open';
        CREATE INDEX openOrdersByDue ON orders (COALESCE(due, 9223372036854775807), id) WHERE state = 'open';
        CREATE INDEX ordersByState ON orders (state, id);
        CREATE INDEX ordersByHolder ON orders (holder, id) WHERE holder IS NOT NULL;
        CREATE INDEX ordersByLeaseEnd ON orders (leaseEnd) WHERE state = 'claimed';
        CREATE INDEX ordersByDeadline ON orders (deadline) WHERE deadline IS NOT NULL;
        CREATE INDEX ordersWithReports ON orders (id) WHERE openReports > 0;
        CREATE VIRTUAL TABLE openPlaces USING rtree (id, south, north, west, east);
        CREATE VIRTUAL TABLE orderTexts USING fts5 (
            title, info, address, content = 'orders', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
        """

    /// The indexes of tables of one state, which replace those of open orders.
    private static let indexesOfStates = """
        CREATE INDEX ordersByStateAndPrice ON orders (state, currency, amount, id);
        CREATE INDEX ordersByStateAndDue ON orders (state, COALESCE(due, 9223372036854775807), id);
        DROP INDEX openOrdersByPrice;
        DROP INDEX openOrdersByDue;
        """

    /// The indexes of the orders that couriers have, which few are, in place of those that also contain the orders of the past.
    private static let indexesOfHeldOrders = """
        CREATE INDEX heldOrdersByHolder ON orders (holder, id) WHERE state IN ('claimed', 'pickedUp', 'arrived', 'returning');
        CREATE INDEX heldOrdersByDeadline ON orders (deadline) WHERE state IN ('claimed', 'pickedUp', 'arrived', 'returning');
        CREATE INDEX ordersWithAttempts ON orders (id) WHERE state IN ('pickedUp', 'arrived') AND attempts > 0;
        DROP INDEX ordersByHolder;
        DROP INDEX ordersByDeadline;
        """

    /// The numbers of orders in each state, which counting would take longer to find than the rest of a table.
    private static let schemaOfStateCounts = """
        CREATE TABLE stateCounts (state TEXT PRIMARY KEY, count INTEGER NOT NULL CHECK (count >= 0)) STRICT, WITHOUT ROWID;
        INSERT INTO stateCounts SELECT state, COUNT(*) FROM orders GROUP BY state;
        CREATE TRIGGER insertedOrdersAreCounted AFTER INSERT ON orders BEGIN
            INSERT INTO stateCounts VALUES (NEW.state, 1) ON CONFLICT DO UPDATE SET count = count + 1;
        END;
        CREATE TRIGGER deletedOrdersAreCounted AFTER DELETE ON orders BEGIN
            UPDATE stateCounts SET count = count - 1 WHERE state = OLD.state;
        END;
        CREATE TRIGGER changedOrdersAreCounted AFTER UPDATE OF state ON orders WHEN NEW.state <> OLD.state BEGIN
            UPDATE stateCounts SET count = count - 1 WHERE state = OLD.state;
            INSERT INTO stateCounts VALUES (NEW.state, 1) ON CONFLICT DO UPDATE SET count = count + 1;
        END;
        """

    /// The number of changes of `orderTexts`.
    private static let columnOfTextVersion = "ALTER TABLE orderMetadata ADD COLUMN textVersion INTEGER NOT NULL DEFAULT 0"

    /// The time from which the last pruning has measured ages.
    private static let columnOfPruneTime = "ALTER TABLE orderMetadata ADD COLUMN pruneTime INTEGER"

    /// The imports of files, and their orders until these are created.
    private static let schemaOfImports = """
        CREATE TABLE imports (
            id TEXT PRIMARY KEY,
            digest TEXT,
            person TEXT,
            isAccepted INTEGER NOT NULL DEFAULT 0 CHECK (isAccepted IN (0, 1)),
            isRepeated INTEGER NOT NULL DEFAULT 0 CHECK (isRepeated IN (0, 1)),
            isFinished INTEGER NOT NULL DEFAULT 0 CHECK (isFinished <= isAccepted),
            created INTEGER NOT NULL DEFAULT 0,
            existing INTEGER NOT NULL DEFAULT 0,
            milliseconds INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX importsByDigest ON imports (digest) WHERE isAccepted;
        CREATE INDEX unfinishedImports ON imports (milliseconds) WHERE isAccepted AND NOT isFinished;
        CREATE TABLE stagedOrders (
            importID TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            externalID TEXT,
            content TEXT NOT NULL CHECK (json_valid(content)),
            PRIMARY KEY (importID, number)
        ) STRICT, WITHOUT ROWID;
        """

    /// The append-only tables, and the change feed, whose positions are never used again.
    private static let schemaOfEvents = """
        CREATE TABLE orderEvents (
            orderID INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number > 0),
            event TEXT NOT NULL CHECK (json_valid(event)),
            PRIMARY KEY (orderID, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER orderEventsAreFinal BEFORE UPDATE ON orderEvents BEGIN SELECT RAISE(ABORT, 'events never change'); END;
        CREATE TABLE orderReports (
            orderID INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number > 0),
            report TEXT NOT NULL CHECK (json_valid(report)),
            isSettled INTEGER NOT NULL DEFAULT 0 CHECK (isSettled IN (0, 1)),
            PRIMARY KEY (orderID, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE orderChanges (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            orderID INTEGER NOT NULL,
            event INTEGER,
            report INTEGER,
            previousHolder TEXT,
            wasOpen INTEGER NOT NULL CHECK (wasOpen IN (0, 1)),
            milliseconds INTEGER NOT NULL,
            CHECK ((event IS NULL) <> (report IS NULL))
        ) STRICT;
        CREATE INDEX orderChangesByTime ON orderChanges (milliseconds);
        CREATE TABLE orderMetadata (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            epoch TEXT NOT NULL,
            fenceFloor INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE verdicts (
            person TEXT NOT NULL,
            key TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            verdict TEXT NOT NULL CHECK (json_valid(verdict)),
            milliseconds INTEGER NOT NULL,
            PRIMARY KEY (person, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX verdictsByTime ON verdicts (milliseconds);
        """

    private static let schemaOfPeople = """
        CREATE TABLE people (
            id TEXT PRIMARY KEY,
            name TEXT,
            role TEXT NOT NULL CHECK (role IN ('courier', 'dispatcher')),
            creationTime INTEGER NOT NULL,
            revocationTime INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX peopleByName ON people (name) WHERE revocationTime IS NULL;
        CREATE TABLE signInLinks (
            hash TEXT PRIMARY KEY,
            person TEXT NOT NULL UNIQUE REFERENCES people (id) ON DELETE CASCADE,
            expiry INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE tokens (
            hash TEXT PRIMARY KEY,
            person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            expiry INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tokensByPerson ON tokens (person);
        CREATE TABLE courierPositions (
            person TEXT NOT NULL,
            milliseconds INTEGER NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            accuracy REAL,
            PRIMARY KEY (person, milliseconds)
        ) STRICT, WITHOUT ROWID;
        """

    private static let schemaOfProofs = """
        CREATE TABLE proofs (
            orderID INTEGER NOT NULL,
            person TEXT NOT NULL,
            digest TEXT NOT NULL CHECK (length(digest) = 64),
            kind TEXT NOT NULL,
            mediaType TEXT NOT NULL,
            length INTEGER NOT NULL,
            contentDigest TEXT NOT NULL CHECK (length(contentDigest) = 64),
            storedTime INTEGER NOT NULL,
            content BLOB,
            PRIMARY KEY (orderID, person, digest)
        ) STRICT;
        CREATE INDEX proofsByTime ON proofs (storedTime) WHERE content IS NOT NULL;
        CREATE TABLE proofParts (
            orderID INTEGER NOT NULL,
            person TEXT NOT NULL,
            digest TEXT NOT NULL,
            start INTEGER NOT NULL CHECK (start >= 0),
            content BLOB NOT NULL,
            milliseconds INTEGER NOT NULL,
            PRIMARY KEY (orderID, person, digest, start)
        ) STRICT;
        """
}
