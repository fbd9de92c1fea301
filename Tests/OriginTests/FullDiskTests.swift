import Foundation
import GRDB
import LadingTesting
import OrderLifecycle
import OrderStorage
import OrderStorageSQLite
import SQLiteFiles
import ServerStartup
import Synchronization
import TemporaryFolders
import Testing

@testable import Origin

@Suite("An origin on a full disk", .enabled(if: RAMDisk.isSupported, "only root may mount a disk"))
struct FullDiskTests {
    private static func demo(orders: Int, now: Date = demoDate) -> LocalDatabase.Demo {
        LocalDatabase.Demo(
            orders: DemoOrders(count: orders, seed: 1), isDefaultOrderCount: false, deliveries: DemoDeliveries(count: 5, seed: 1), now: now,
            isShared: false, onProgress: { _ in })
    }

    private static let person = Person(
        id: PersonID(rawValue: "mina"), name: "Mina", role: .courier, creationTime: Timestamp(milliseconds: 0))

    /// Stores orders and a person, and returns the closed database.
    private func store(orders: Int, in folder: URL) async throws -> URL {
        let local = try await LocalDatabase.open(.directory(folder), Self.demo(orders: orders)) { _ in }
        try await local.database.orders().addPerson(Self.person)
        try local.database.close()
        local.lock?.release()
        let file = folder.appending(path: OriginDatabase.fileName)
        removeReclaimableFiles(of: file)
        return file
    }

    /// Removes the files whose removal by another start would free space.
    private func removeReclaimableFiles(of file: URL) {
        for ending in ["-shm", "-sum"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
    }

    @Test func `The stored orders are served, not those of another demo`() async throws {
        let disk = try RAMDisk(mebibytes: 8)
        defer { disk.unmount() }
        _ = try await store(orders: 20, in: disk.folder)
        try disk.fill()
        let reports = Mutex(0)

        let demo = Self.demo(orders: 2_000, now: demoDate + 60)
        let local = try await LocalDatabase.open(.directory(disk.folder), demo) { _ in reports.withLock { $0 += 1 } }

        #expect(!local.database.isReplacement && local.ordersDate == demoDate && local.deliveriesDate == demoDate)
        #expect(try await local.database.orderIDs() == Array(1...20))
        #expect(try await local.database.orders().people() == [Self.person])
        #expect(reports.withLock { $0 } == 1)
        try local.database.writer.close()
        local.lock?.release()
    }

    @Test func `A database of an earlier release is refused and unchanged`() async throws {
        let disk = try RAMDisk(mebibytes: 8)
        defer { disk.unmount() }
        let file = try await store(orders: 20, in: disk.folder)
        let queue = try DatabaseQueue(path: file.path)
        try await queue.write { try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'pruneTime'") }
        try queue.close()
        removeReclaimableFiles(of: file)
        let before = try Data(contentsOf: file)
        try disk.fill()

        let error = await #expect(throws: OriginError.self) {
            _ = try await LocalDatabase.open(.directory(disk.folder), Self.demo(orders: 20)) { _ in }
        }

        #expect(error?.description.contains("because the disk is full: free up space") == true)
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func `A closed database is verified, and copied to another disk`() async throws {
        let disk = try RAMDisk(mebibytes: 8)
        defer { disk.unmount() }
        let file = try await store(orders: 20, in: disk.folder)
        try disk.fill()

        #expect(OriginCheck.report(on: file) == StoreCheck.Report(isStructureOnly: true))
        try await withTemporaryFolder { folder in
            let backup = folder.appending(path: "backup.sqlite")
            try OriginBackup(of: disk.folder).write(to: backup)
            #expect(OriginCheck.report(on: backup).problems == [])
        }
    }

    @Test func `A database with writes in its log cannot be verified, and is not called damaged`() async throws {
        let disk = try RAMDisk(mebibytes: 8)
        defer { disk.unmount() }
        let database = try OriginDatabase(in: disk.folder)
        try await database.orders().addPerson(Self.person)
        // The files that a killed program leaves.
        let copy = disk.folder.appending(path: "copy", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
        let name = OriginDatabase.fileName
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(at: disk.folder.appending(path: name + ending), to: copy.appending(path: name + ending))
        }
        try database.close()
        try disk.fill()

        let report = OriginCheck.report(on: copy.appending(path: name))

        #expect(report.problems == [] && report.obstacle != nil)
    }
}
