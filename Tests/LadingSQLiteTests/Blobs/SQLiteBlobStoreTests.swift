import Foundation
import GRDB
import LadingCaching
import LadingConformance
import LadingSQLite
import SQLiteFiles
import Testing
@testable import StoreFixtures

@Suite struct SQLiteBlobStoreTests {
    private static let conformance = BlobStoreConformance { byteLimit, use in
        let folder = try StoreFolder("blobs")
        let store = try SQLiteBlobStore(in: folder.url.appending(path: "photos"), byteLimit: byteLimit)
        try await use(store)
        try store.close()
    }

    @Test(arguments: conformance.cases) func `The store on disk passes the conformance suite`(_ example: BlobStoreConformance.Case)
        async throws
    {
        try await Self.conformance.check(example)
    }

    @Test func `Bodies and their order of use survive closing and reopening`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        var blobs: [Blob] = []
        for number in 0..<4 { blobs.append(try await disk.write(number, count: 30_000 * number, to: store)) }
        _ = try await store.open(blobs[1])
        try store.close()

        #expect(
            try disk.withDatabase { try Int64.fetchAll($0, sql: "SELECT version FROM entries ORDER BY used") }
                == [0, 2, 3, 1].map { blobs[$0].version })
        let next = try disk.open()
        for (number, blob) in blobs.enumerated() {
            #expect(try await next.blobs(in: blob.key.group) == [blob])
            #expect(try await disk.bytes(of: blob, in: next) == BlobGenerator.body(number, count: 30_000 * number))
        }
        let new = try await disk.write(1, count: 5, to: next)
        #expect(blobs.allSatisfy { $0.version < new.version })
        try next.close()
    }

    @Test func `Each call of a closed store throws an error of the store`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        let blob = try await disk.write(1, count: 30_000, to: store)
        let writer = try await store.write(BlobKey(group: "group 2"), metadata: [])
        try await writer.append([1])
        try store.close()

        let calls: [@Sendable (SQLiteBlobStore) async throws -> Void] = [
            { _ = try await $0.blobs(in: blob.key.group) }, { _ = try await $0.open(blob) },
            { _ = try await $0.setMetadata([4], of: blob) }, { try await $0.remove(blob) },
            { try await $0.removeAll(in: blob.key.group) }, { try await $0.removeAll() },
            { _ in _ = try await writer.finish(metadata: nil) },
        ]
        for call in calls { await #expect(throws: SQLiteStoreError.self) { try await call(store) } }
    }

    @Test func `A smaller limit takes effect when the store is opened`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        for number in 0..<20 { _ = try await disk.write(number, count: 33_000, to: store) }
        try store.close()

        let next = try disk.open(byteLimit: 200_000)

        let usage = try await next.usage()
        #expect(usage.bytes <= 200_000 && usage.count == 6)
        #expect(try disk.files.count == 6)
        #expect(try disk.withDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM blobs") } == 6)
        try next.close()
    }

    @Test func `A body that exceeds a smaller limit evicts no other`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open(byteLimit: 16 << 20)
        for number in 0..<10 { _ = try await disk.write(number, count: 10_000, to: store) }
        let long = try await disk.write(10, count: 3 << 20, to: store)
        try store.close()

        let next = try disk.open(byteLimit: 1 << 20)

        #expect(try await next.usage().count == 10)
        #expect(try await next.blobs(in: long.key.group).isEmpty)
        try next.close()
    }

    @Test func `Removing bodies frees disk space`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        for number in 0..<250 { _ = try await disk.write(number, count: 30_000, to: store) }
        let retained = try await disk.write(250, count: 30_000, to: store)

        for number in 0..<250 { try await store.removeAll(in: "group \(number)") }
        #expect(try await disk.bytes(of: retained, in: store)?.count == 30_000)
        try store.close()

        #expect(try disk.indexSize < 1 << 20)
    }

    @Test func `A mostly empty index without auto-vacuum is vacuumed when it is opened`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        for number in 0..<250 { _ = try await disk.write(number, count: 30_000, to: store) }
        try store.close()
        let queue = try DatabaseQueue(path: disk.folder.file.path)
        try await queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA auto_vacuum = NONE; VACUUM")
            for table in ["entries", "blobs", "contents"] { try database.execute(sql: "DELETE FROM \(table) WHERE version % 5 > 0") }
        }
        try queue.close()
        #expect(try disk.indexSize > 6 << 20)

        let next = try disk.open()

        #expect(try await next.usage().count == 50)
        #expect(try disk.indexSize < 3 << 20)
        #expect(try disk.withDatabase { try Int.fetchOne($0, sql: "PRAGMA auto_vacuum") } == 2)
        try next.close()
    }

    @Test func `Accesses are saved in batches`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        var blobs: [Blob] = []
        for number in 0..<1_000 { blobs.append(try await disk.write(number, count: 1, to: store)) }
        let used = { try disk.withDatabase { try Int64.fetchAll($0, sql: "SELECT version FROM entries ORDER BY used") } }

        for blob in blobs.reversed().dropLast() { _ = try await store.open(blob) }
        #expect(try used() == blobs.map(\.version))

        _ = try await store.open(blobs[0])
        #expect(try used() == blobs.reversed().map(\.version))
        try store.close()
    }

    @Test func `A full disk refuses new bodies and preserves the stored ones`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        let retained = try await disk.write(1, count: 100_000, to: store)
        try store.limitPages(to: 1)

        var refused: BlobKey?
        for number in 2..<200 where refused == nil {
            do { _ = try await disk.write(number, count: 10_000, to: store) } catch BlobStoreError.noRoom(let key) { refused = key }
        }

        let key = try #require(refused)
        #expect(try await store.blobs(in: key.group).isEmpty)
        #expect(try await disk.bytes(of: retained, in: store) == BlobGenerator.body(1, count: 100_000))
        let count = try disk.withDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM entries") }
        #expect(try await store.usage().count == count)
        try store.limitPages(to: 1 << 20)
        let next = try await disk.write(3, count: 10_000, to: store)
        #expect(try await disk.bytes(of: next, in: store)?.count == 10_000)
        try store.close()
    }

    @Test func `A body that does not fit on the disk leaves no file`() async throws {
        let disk = try BlobStoreFixture()

        let lines = try await KilledProgram.lines("BlobProgram", [disk.folder.url.path, "FULL"]) { _ in false }

        #expect(lines == ["no room for \(2 << 20)", "300000"])
        #expect(try disk.files.count == 1)
        let store = try disk.open()
        #expect(try await store.usage().count == 1)
        try store.close()
    }

    @Test func `A directory that cannot be created throws an error`() throws {
        let folder = try StoreFolder("blobs")
        try Data([1]).write(to: folder.url.appending(path: "photos"))

        #expect(throws: SQLiteStoreError.self) { try SQLiteBlobStore(in: folder.url.appending(path: "photos"), byteLimit: 1_000) }
        #expect(folder.names == ["photos"])
    }
}
