import Foundation
import GRDB
import LadingCaching
import LadingConformance
import LadingSQLite
import Testing
@testable import StoreFixtures

@Suite struct BlobDamageTests {
    @Test(arguments: [0, 65_535, 99_999]) func `A file with one flipped bit is never returned and is removed`(offset: Int) async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        let blob = try await disk.write(1, count: 100_000, to: store)
        try disk.flipBit(of: #require(try disk.files.first), at: offset)

        if let reader = try await store.open(blob) {
            #expect(offset >= 65_536, "the first block was checked when it was opened")
            #expect(try await reader.read(from: 0, count: 65_536) == Array(BlobGenerator.body(1, count: 100_000).prefix(65_536)))
            await #expect(throws: BlobStoreError.corrupt(blob.key)) { try await reader.read(from: 70_000, count: 1) }
        }

        #expect(try await store.open(blob) == nil)
        #expect(try await store.blobs(in: blob.key.group).isEmpty)
        #expect(try await store.usage() == BlobUsage(count: 0, bytes: 0))
        #expect(try disk.files.isEmpty)
        try store.close()
    }

    @Test(arguments: [0, 1, 65_536, 99_999]) func `A truncated file is removed`(length: Int) async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        let blob = try await disk.write(1, count: 100_000, to: store)
        #expect(truncate(try #require(try disk.files.first).path, off_t(length)) == 0)

        #expect(try await store.open(blob) == nil)
        #expect(try disk.files.isEmpty)
        try store.close()
    }

    @Test func `Truncation during a read throws an error`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        let blob = try await disk.write(1, count: 300_000, to: store)
        let reader = try #require(try await store.open(blob))
        #expect(truncate(try #require(try disk.files.first).path, 70_000) == 0)

        await #expect(throws: BlobStoreError.corrupt(blob.key)) { try await reader.read(from: 0, count: 300_000) }

        #expect(try await store.usage().count == 0)
        try store.close()
    }

    @Test(arguments: [
        "UPDATE contents SET content = zeroblob(100)", "DELETE FROM contents", "UPDATE blobs SET note = x'010204'",
        "UPDATE blobs SET length = 99", "UPDATE blobs SET checksums = x'0102030405060708'", "DELETE FROM blobs", "DELETE FROM entries",
        "UPDATE blobs SET name = 'other'",
    ])
    func `A changed row is not returned`(sql: String) async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        let blob = try await disk.write(1, count: 100, to: store)
        try disk.withDatabase { try $0.execute(sql: sql) }

        for found in try await store.blobs(in: blob.key.group) { #expect(try await disk.bytes(of: found, in: store) == nil) }
        #expect(try await disk.bytes(of: blob, in: store) == nil)

        #expect(try await store.usage().count == 0)
        let next = try await disk.write(1, count: 100, to: store)
        #expect(try await disk.bytes(of: next, in: store)?.count == 100)
        try store.close()
    }

    @Test func `Opening removes files without rows and rows without files`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        var blobs: [Blob] = []
        for number in 0..<3 { blobs.append(try await disk.write(number, count: 50_000, to: store)) }
        let missing = try #require(try disk.withDatabase { try Int64.fetchOne($0, sql: "SELECT file FROM entries LIMIT 1") })
        try store.close()
        let bodies = disk.folder.url.appending(path: "bodies")
        try FileManager.default.removeItem(at: bodies.appending(path: String(missing, radix: 16)))
        for name in ["ffff", "body.tmp", "-1", "+2", "00\(missing)"] { try Data([1]).write(to: bodies.appending(path: name)) }
        try FileManager.default.createDirectory(at: bodies.appending(path: "1fff"), withIntermediateDirectories: false)

        let next = try disk.open()

        #expect(try disk.files.count == 2)
        #expect(try await next.usage().count == 2)
        var there: [Bool] = []
        for blob in blobs { there.append(try await next.open(blob) != nil) }
        #expect(there == [false, true, true])
        try next.close()
    }

    @Test(arguments: [
        "no database at all, and long enough to be seen as one by its first bytes", "SQLite format 3\0 and then nothing",
    ])
    func `A damaged index is quarantined and replaced by an empty one`(text: String) async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        _ = try await disk.write(1, count: 50_000, to: store)
        try store.close()
        try Data(Array(text.utf8) + [UInt8](repeating: 7, count: 4_096)).write(to: disk.folder.file)

        let next = try disk.open()

        let quarantined = try #require(next.quarantinedFile)
        #expect(quarantined.reason == .corrupt)
        #expect(try Data(contentsOf: quarantined.file).starts(with: Array(text.utf8)))
        #expect(try disk.files.isEmpty)
        let blob = try await disk.write(2, count: 50_000, to: next)
        #expect(try await disk.bytes(of: blob, in: next)?.count == 50_000)
        try next.close()
    }

    @Test(arguments: ["used", "version", "file"])
    func `An index with a number after which there is none is replaced by an empty one`(column: String) async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        _ = try await disk.write(1, count: 50_000, to: store)
        try store.close()
        try disk.withDatabase { try $0.execute(sql: "UPDATE entries SET \(column) = \(Int64.max)") }

        let next = try disk.open()

        let blob = try await disk.write(2, count: 50_000, to: next)
        #expect(try await disk.bytes(of: blob, in: next)?.count == 50_000)
        #expect(next.quarantinedFile?.reason == .corrupt)
        try next.close()
    }

    @Test func `Only the last damaged index remains beside the store`() async throws {
        let disk = try BlobStoreFixture()
        for number: UInt8 in 1...3 {
            let store = try disk.open()
            try store.close()
            try Data([UInt8](repeating: number, count: 4_096)).write(to: disk.folder.file)
        }

        let store = try disk.open()

        let quarantined = try #require(store.quarantinedFile)
        #expect(try Data(contentsOf: quarantined.file).first == 3)
        #expect(disk.folder.names.count { $0.contains("damaged") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == 1)
        try store.close()
    }

    @Test func `An index of a newer release is quarantined and replaced by an empty one`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        _ = try await disk.write(1, count: 50_000, to: store)
        try store.close()
        try disk.withDatabase { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('later')") }

        let next = try disk.open()

        #expect(next.quarantinedFile?.reason == .newer)
        #expect(try await next.usage() == BlobUsage(count: 0, bytes: 0))
        try next.close()
    }

    @Test func `Damage that is detected during use replaces the index at that moment`() async throws {
        let disk = try BlobStoreFixture()
        let store = try disk.open()
        for number in 0..<300 { _ = try await disk.write(number, count: 9_000, to: store) }
        try store.close()
        let size = try #require(try FileManager.default.attributesOfItem(atPath: disk.folder.file.path)[.size] as? Int)
        let handle = try FileHandle(forWritingTo: disk.folder.file)
        try handle.seek(toOffset: UInt64(40 * 4_096))
        try handle.write(contentsOf: Data(repeating: 0xA5, count: size - 40 * 4_096))
        try handle.close()

        let next = try disk.open()
        for number in 0..<300 {
            for blob in try await next.blobs(in: "group \(number)") {
                if let bytes = try await disk.bytes(of: blob, in: next) { #expect(bytes == BlobGenerator.body(number, count: 9_000)) }
            }
            let blob = try await disk.write(number, count: 9_000, to: next)
            #expect(try await disk.bytes(of: blob, in: next) == BlobGenerator.body(number, count: 9_000))
        }

        #expect(next.quarantinedFile?.reason == .corrupt)
        try next.close()
    }
}
