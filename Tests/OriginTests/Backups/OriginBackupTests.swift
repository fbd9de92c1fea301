import Foundation
import GRDB
import OrderAPI
import OrderLifecycle
import OrderStorage
import OrderStorageSQLite
import SQLiteFiles
import ServerStartup
import TemporaryFolders
import Testing

@testable import Origin

/// People, tokens and sign-in links after a restore.
@Suite("Origin backup")
struct OriginBackupTests {
    private static let now = Timestamp(demoDate)
    private static let later = now + .seconds(3_600)
    private let folder: TemporaryFolder
    private let directory: URL
    private let backup: URL

    init() async throws {
        folder = try TemporaryFolder()
        directory = folder.url.appending(path: "data", directoryHint: .isDirectory)
        backup = folder.url.appending(path: "backup.sqlite", directoryHint: .notDirectory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try await withOrders(in: directory) { orders in
            for name in ["mina", "jonas", "ada"] {
                let person = PersonID(rawValue: name)
                try await orders.addPerson(Person(id: person, name: name.capitalized, role: .courier, creationTime: Self.now))
                for device in ["phone", "tablet"] { try await orders.addToken(Self.token(name, device), of: person, expires: Self.later) }
                try await orders.addLink(Self.link(of: name), of: person, expires: Self.later)
            }
        }
        try OriginBackup(of: directory).write(to: backup)
    }

    private static func token(_ person: String, _ device: String) -> SecretHash { SecretHash(ofSecret: "\(person) \(device)") }

    private static func link(of person: String) -> SecretHash { SecretHash(ofSecret: "link of \(person)") }

    private func withOrders<Value>(in directory: URL, _ body: (SQLiteOrderStore) async throws -> Value) async throws -> Value {
        let database = try OriginDatabase(in: directory)
        let value = try await body(database.orders())
        try database.close()
        return value
    }

    /// Returns the accepted ones of the tokens that the backup has.
    private func acceptedTokens(in directory: URL) async throws -> Set<String> {
        try await withOrders(in: directory) { orders in
            var accepted: Set<String> = []
            for person in ["mina", "jonas", "ada"] {
                for device in ["phone", "tablet"] {
                    let found = try await orders.person(withToken: Self.token(person, device), at: Self.now, expires: Self.later)
                    if found?.id.rawValue == person { accepted.insert("\(person) \(device)") }
                }
            }
            return accepted
        }
    }

    @Test func `People who were revoked since the backup stay revoked, and tokens that were removed stay removed`() async throws {
        try await withOrders(in: directory) { orders in
            try await orders.revoke(PersonID(rawValue: "mina"), at: Self.now)
            try await orders.erase(PersonID(rawValue: "ada"), at: Self.now)
            try await orders.removeToken(Self.token("jonas", "tablet"))
        }

        let restoration = try OriginBackup(of: directory).restore(backup)

        #expect(restoration.retainsRevocations && restoration.replacedFile?.lastPathComponent == "origin.sqlite-replaced-1")
        #expect(restoration.endedTokenCount == 1)
        let people = try await withOrders(in: directory) { try await $0.people() }
        #expect(try await acceptedTokens(in: directory) == ["jonas phone"])
        #expect(people.map(\.name) == [nil, "Jonas", "Mina"])
        #expect(people.map(\.revocationTime) == [Self.now, nil, Self.now])
    }

    @Test func `A restore of the replaced content reports the tokens that it ends`() async throws {
        try await withOrders(in: directory) { orders in
            try await orders.addToken(Self.token("mina", "laptop"), of: PersonID(rawValue: "mina"), expires: Self.later)
        }
        let first = try OriginBackup(of: directory).restore(backup)

        let second = try OriginBackup(of: directory).restore(try #require(first.replacedFile))

        #expect(first.endedTokenCount == 0 && second.endedTokenCount == 1)
        #expect(try await acceptedTokens(in: directory).count == 6)
    }

    @Test(arguments: [true, false])
    func `A restore stops without a change if access has ended since the tokens were read`(isRevoked: Bool) async throws {
        let database = try OriginDatabase(in: directory)
        let source = try DatabaseQueue(path: backup.path)
        let record = try await database.writer.read { try RevocationRecord(of: $0) }
        let person = Person(id: PersonID(rawValue: "cleo"), name: "Cleo", role: .courier, creationTime: Self.now)
        try await database.orders().addPerson(person)
        if isRevoked {
            try await database.orders().revoke(PersonID(rawValue: "mina"), at: Self.now)
        } else {
            try await database.orders().removeToken(Self.token("mina", "phone"))
        }

        let copy = directory.appending(path: "replaced.sqlite", directoryHint: .notDirectory)
        let failure = #expect(throws: OriginBackup.Failure.self) {
            try OriginBackup(of: directory).replaceContent(of: database, with: source, copyingTo: copy, appliedRecord: record)
        }

        #expect(failure?.description == "Somebody was revoked or signed out meanwhile: nothing was changed; restore again.")
        #expect(try await database.orders().people().map(\.name).contains("Cleo"))
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        try source.close()
        try database.close()
    }

    @Test func `A restored link is not valid`() async throws {
        _ = try OriginBackup(of: directory).restore(backup)

        let person = try await withOrders(in: directory) { orders in
            let token = SecretHash(ofSecret: "new")
            return try await orders.exchangeLink(Self.link(of: "mina"), for: token, at: Self.now, expires: Self.later)
        }
        #expect(person == nil)
        #expect(try await acceptedTokens(in: directory).count == 6)
    }

    @Test func `A database that does not know the people of the backup ends no tokens, which is reported`() async throws {
        for name in ["empty", "other"] {
            let other = folder.url.appending(path: name, directoryHint: .isDirectory)
            if name == "other" {
                try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
                try await withOrders(in: other) { orders in
                    try await orders.addPerson(
                        Person(id: PersonID(rawValue: "first"), name: "Dispatcher", role: .dispatcher, creationTime: Self.now))
                }
            }

            let restoration = try OriginBackup(of: other).restore(backup)

            #expect(!restoration.retainsRevocations && (restoration.replacedFile != nil) == (name == "other"))
            #expect(try await acceptedTokens(in: other).count == 6)
        }
    }

    @Test func `A database that is too damaged to be opened is moved with its log, and replaced`() async throws {
        let file = directory.appending(path: OriginDatabase.fileName)
        var bytes = try Data(contentsOf: file)
        bytes.replaceSubrange(0..<100, with: [UInt8](repeating: 0xA5, count: 100))
        try bytes.write(to: file)
        let log = Data("writes that the file lacks".utf8)
        try log.write(to: URL(filePath: file.path + "-wal"))

        let restoration = try OriginBackup(of: directory).restore(backup)

        let replaced = try #require(restoration.replacedFile)
        #expect(replaced.lastPathComponent == "origin.sqlite-replaced-1" && !restoration.retainsRevocations)
        #expect(try Data(contentsOf: replaced) == bytes)
        #expect(try Data(contentsOf: URL(filePath: replaced.path + "-wal")) == log)
        #expect(OriginCheck.report(on: file) == StoreCheck.Report())
        #expect(try await acceptedTokens(in: directory).count == 6)
    }

    @Test func `A database that is too damaged to be opened stays while a server uses it`() async throws {
        let file = directory.appending(path: OriginDatabase.fileName)
        let bytes = Data(repeating: 0xA5, count: 8_192)
        try bytes.write(to: file)
        let lock = try DirectoryLock(of: directory, fileName: LocalDatabase.lockName)
        defer { lock.release() }

        let failure = #expect(throws: OriginBackup.Failure.self) { try OriginBackup(of: directory).restore(backup) }

        #expect(failure?.description.contains("stop the server") == true)
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test func `A backup is private, also where an interrupted one has left a file that is not`() async throws {
        let target = folder.url.appending(path: "second.sqlite", directoryHint: .notDirectory)
        let draft = target.appendingPathExtension("part")
        try Data("incomplete".utf8).write(to: draft)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: draft.path)

        try OriginBackup(of: directory).write(to: target)

        let permissions = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] as? NSNumber
        #expect(permissions?.intValue == 0o600)
        #expect(!FileManager.default.fileExists(atPath: draft.path))
    }

    private func createOrder(_ key: String) async throws -> Int {
        let content = OrderContent(title: "Soup", price: "1", currency: "EUR", destination: .init(address: "1 Quay", coordinate: nil))
        let sender = OrderLifecycle.Sender(PersonID(rawValue: "ada"), role: .dispatcher, actionTime: Self.now)
        let command = OrderStoreCommand(.create(content, externalID: nil), from: sender, key: key, fingerprint: key)
        let verdict = try await withOrders(in: directory) { try await $0.perform(command, at: Self.now).verdict }
        return try #require(verdict.order)
    }

    @Test func `The id of an order that a restore loses is not used again, also after a second restore of the same backup`() async throws {
        var lost = [try await createOrder("1"), try await createOrder("2"), try await createOrder("3")]
        #expect(lost == [1, 2, 3])

        for round in 1...3 {
            _ = try OriginBackup(of: directory, now: { demoDate }).restore(backup)

            let id = try await createOrder("after \(round)")
            #expect(id > lost.max() ?? 0)
            lost.append(id)
        }
    }

    @Test func `Without the replaced content the id of a lost order is not used again either`() async throws {
        let lost = try await createOrder("1")
        try FileManager.default.removeItem(at: directory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)

        _ = try OriginBackup(of: directory, now: { demoDate }).restore(backup)

        #expect(try await createOrder("2") > lost)
    }

    private static let damages = [
        "DROP TABLE tokens",
        """
        DROP INDEX peopleByName;
        ALTER TABLE people DROP COLUMN revocationTime;
        ALTER TABLE people ADD COLUMN revocationTime ANY;
        UPDATE people SET revocationTime = 'now';
        """,
    ]

    @Test(arguments: damages)
    func `A database whose people or tokens are not readable is replaced, which is reported`(damage: String) async throws {
        let database = try OriginDatabase(in: directory)
        try await database.writer.write { try $0.execute(sql: damage) }
        try database.close()

        let restoration = try OriginBackup(of: directory).restore(backup)

        #expect(!restoration.retainsRevocations)
        #expect(try await acceptedTokens(in: directory).count == 6)
    }

    // MARK: - Tables and triggers

    private static func change(_ file: URL, _ sql: String) throws {
        let queue = try DatabaseQueue(path: file.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// A trigger with which a removed token is valid again.
    private static let trigger =
        "CREATE TRIGGER mine AFTER DELETE ON tokens BEGIN INSERT INTO tokens VALUES (OLD.hash, OLD.person, OLD.expiry); END;"

    /// The trigger under the name of a table of statistics.
    private static let hiddenTrigger = """
        \(trigger)
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET name = 'sqlite_stat1', sql = replace(sql, 'TRIGGER mine', 'TRIGGER sqlite_stat1') WHERE name = 'mine';
        """

    private static let foreignSchemas: [(String, String)] = [
        (trigger, #"the trigger "mine" is unknown (remove it with sqlite3: DROP TRIGGER)"#),
        (hiddenTrigger, #"the trigger "sqlite_stat1" is unknown (remove it with sqlite3: DROP TRIGGER)"#),
        (
            "DROP TRIGGER orderEventsAreFinal",
            #"the trigger "orderEventsAreFinal" is missing (create it as in a new data directory)"#
        ),
        ("DROP INDEX peopleByName", #"the index "peopleByName" is missing (create it as in a new data directory)"#),
        (
            "DROP INDEX peopleByName; CREATE INDEX peopleByName ON people (name);",
            #"the index "peopleByName" differs from that of this release (replace it by that of a new data directory)"#
        ),
        (
            """
            CREATE VIEW mine AS SELECT * FROM people;
            CREATE TRIGGER write INSTEAD OF INSERT ON mine BEGIN DELETE FROM people; END;
            """,
            #"the trigger "write" is unknown (remove it with sqlite3: DROP TRIGGER)"#
        ),
        (
            "CREATE TABLE mine (hash REFERENCES tokens (hash))",
            #"the table "mine" is unknown (remove it with sqlite3: DROP TABLE)"#
        ),
    ]

    @Test(arguments: foreignSchemas)
    func `A backup with other tables or triggers, or changed indexes, is refused, and nothing changes`(
        change: String, problem: String
    ) throws {
        let file = directory.appending(path: OriginDatabase.fileName)
        let before = try Data(contentsOf: file)
        try Self.change(backup, change)

        let failure = #expect(throws: OriginBackup.Failure.self) { try OriginBackup(of: directory).restore(backup) }

        #expect(failure?.description.contains("cannot be used, and nothing was changed: \(problem).") == true)
        #expect(OriginCheck.report(on: backup).problems == [problem])
        #expect(try Data(contentsOf: file) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names.filter { $0.hasPrefix("\(OriginDatabase.fileName)-re") } == [])
    }

    @Test(arguments: [trigger, "CREATE TABLE mine (hash REFERENCES tokens (hash))", "DROP INDEX peopleByName"])
    func `A database that an operator has changed is backed up`(change: String) throws {
        let target = folder.url.appending(path: "second.sqlite", directoryHint: .notDirectory)
        try Self.change(directory.appending(path: OriginDatabase.fileName), change)

        try OriginBackup(of: directory).write(to: target)

        let failure = #expect(throws: OriginBackup.Failure.self) { try OriginBackup(of: directory).restore(target) }
        #expect(failure?.description.hasPrefix("\(target.path) cannot be used") == true)
    }

    @Test func `Indexes and views of an operator are backed up, and not restored`() async throws {
        let file = directory.appending(path: OriginDatabase.fileName)
        let target = folder.url.appending(path: "second.sqlite", directoryHint: .notDirectory)
        try Self.change(
            file, #"CREATE UNIQUE INDEX "my ""own""" ON people (revocationTime IS NOT NULL) WHERE revocationTime IS NOT NULL"#)
        try Self.change(file, "CREATE VIEW mine AS SELECT * FROM people")
        try OriginBackup(of: directory).write(to: target)

        #expect(try Self.ownObjects(in: target) == ["mine", #"my "own""#])
        #expect(OriginCheck.report(on: target).problems == [])
        _ = try OriginBackup(of: directory).restore(target)

        #expect(try Self.ownObjects(in: file) == [])
        #expect(try await acceptedTokens(in: directory).count == 6)
    }

    private static func ownObjects(in file: URL) throws -> [String] {
        let queue = try DatabaseQueue(path: file.path)
        defer { try? queue.close() }
        let sql = "SELECT name FROM sqlite_master WHERE name IN ('mine', 'my \"own\"') ORDER BY name"
        return try queue.read { try String.fetchAll($0, sql: sql) }
    }

    @Test func `Statistics of the tables, which SQLite stores in tables of its own, are no difference`() throws {
        try Self.change(backup, "ANALYZE")

        _ = try OriginBackup(of: directory).restore(backup)

        #expect(OriginCheck.report(on: directory.appending(path: OriginDatabase.fileName)).problems == [])
    }

    @Test(arguments: ["orders", "sols", "orderLifecycle", "imports", "stateCounts", "textVersion"])
    func `A backup of an earlier release is migrated before its tables are compared`(lastMigration: String) throws {
        let earlier = folder.url.appending(path: "earlier.sqlite", directoryHint: .notDirectory)
        let queue = try DatabaseQueue(path: earlier.path)
        try OriginDatabase.migrator().migrate(queue, upTo: lastMigration)
        try queue.close()

        #expect(OriginCheck.report(on: earlier).problems == [])
        _ = try OriginBackup(of: directory).restore(earlier)
        #expect(OriginCheck.report(on: directory.appending(path: OriginDatabase.fileName)).problems == [])

        try Self.change(earlier, "CREATE TABLE mine (name TEXT)")
        let failure = #expect(throws: OriginBackup.Failure.self) { try OriginBackup(of: directory).restore(earlier) }
        #expect(failure?.description.contains(#"the table "mine" is unknown"#) == true)
    }

    @Test func `A backup of an earlier release with a view of an operator is restored without it`() throws {
        let earlier = folder.url.appending(path: "earlier.sqlite", directoryHint: .notDirectory)
        let queue = try DatabaseQueue(path: earlier.path)
        try OriginDatabase.migrator().migrate(queue, upTo: "sols")
        try queue.close()
        try Self.change(earlier, "CREATE VIEW mine AS SELECT * FROM orders")

        _ = try OriginBackup(of: directory).restore(earlier)

        #expect(try Self.ownObjects(in: directory.appending(path: OriginDatabase.fileName)) == [])
    }
}
