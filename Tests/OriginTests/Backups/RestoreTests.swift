import Foundation
import GRDB
import OrderLifecycle
import OrderStorage
import OrderStorageSQLite
import SQLiteFiles
import ServerStartup
import TemporaryFolders
import Testing

@testable import Origin

@Suite("Restores of an origin", .timeLimit(.minutes(10)))
struct RestoreTests {
    private static func names(in file: URL) throws -> Set<String> {
        let database = try StoreCheck.reader(of: file)
        defer { try? database.close() }
        return try database.read { try Set(String.fetchAll($0, sql: "SELECT name FROM people")) }
    }

    private static func person(_ name: String) -> Person {
        Person(id: PersonID(rawValue: name), name: name, role: .courier, creationTime: Timestamp(milliseconds: 0))
    }

    @Test func `Each write that a server confirms during a restore is in the replaced content or in the restored one`() async throws {
        try await withTemporaryFolder { folder in
            let lock = try DirectoryLock(of: folder, fileName: LocalDatabase.lockName)
            defer { lock.release() }
            let (database, backup) = (try OriginDatabase(in: folder), folder.appending(path: "backup.sqlite"))
            let store = database.orders()
            try await store.addPerson(Self.person("saved"))
            try OriginBackup(of: folder).write(to: backup)
            try await store.addPerson(Self.person("first"))
            let writing = Task {
                var confirmed: Set = ["first"]
                while !Task.isCancelled {
                    let name = "person \(confirmed.count)"
                    if (try? await store.addPerson(Self.person(name))) != nil { confirmed.insert(name) }
                }
                return confirmed
            }

            let replaced = try OriginBackup(of: folder, now: { demoDate }).restore(backup).replacedFile

            writing.cancel()
            let confirmed = await writing.value
            try database.close()
            let (old, new) = (
                try Self.names(in: try #require(replaced)), try Self.names(in: folder.appending(path: OriginDatabase.fileName))
            )
            #expect(confirmed.subtracting(old.union(new)) == [])
            #expect(old.contains("first") && !new.contains("first") && new.contains("saved"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".part") } == [])
        }
    }

    @Test func `A checksum that a server wrote while a command was using its database is removed`() async throws {
        try await withTemporaryFolder { folder in
            let server = try OriginDatabase(in: folder)
            let command = try OriginDatabase(in: folder)
            try server.close()
            try await command.orders().addPerson(Self.person("mina"))

            try command.closeBesideOwner()

            #expect(OriginCheck.report(on: folder.appending(path: OriginDatabase.fileName)).problems == [])
        }
    }
}
