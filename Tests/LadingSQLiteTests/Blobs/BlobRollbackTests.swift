import FileAccess
import Foundation
import GRDB
import LadingCaching
import LadingConformance
import LadingTesting
import Testing
@testable import LadingSQLite
@testable import StoreFixtures

/// Writes whose transaction is rolled back.
@Suite struct BlobRollbackTests {
    private let folder: StoreFolder

    init() throws {
        folder = try StoreFolder("blobs")
    }

    private func open(byteLimit: Int) throws -> BlobStorage {
        try BlobStorage(in: folder.url, byteLimit: byteLimit, inlineLimit: SQLiteBlobStore.inlineLimit)
    }

    /// Stores the body of a number in its own group.
    private func store(_ number: Int, count: Int, in storage: BlobStorage) throws -> Blob {
        var draft = BlobDraft(BlobKey(group: "group \(number)"), metadata: [])
        draft.append(BlobGenerator.body(number, count: count))
        return try storage.commit(draft)
    }

    @Test func `Writes to a full disk do not read the whole index`() throws {
        let storage = try open(byteLimit: 8 << 20)
        for number in 0..<200 { _ = try store(number, count: 100, in: storage) }
        let log = Log()
        try storage.index.write { tables in tables.database.trace { event in log.append("\(event)") } }
        try storage.limitPages(to: 1)

        var failureCount = 0
        for number in 200..<300 {
            do { _ = try store(number, count: 10_000, in: storage) } catch BlobStoreError.noRoom { failureCount += 1 }
        }

        #expect(failureCount >= 10 && storage.usage.count == 300 - failureCount)
        #expect(log.lines.count { $0.hasPrefix("INSERT INTO entries") } == 100)
        #expect(!log.lines.contains { $0.contains("FROM entries ORDER BY") })
        try storage.close()
    }

    @Test func `Bodies that a failed write has evicted, replaced or changed remain stored`() throws {
        let storage = try open(byteLimit: 40_000)
        let counts = [9_900, 9_900, 9_900, 9_900, 300]
        let blobs = try counts.enumerated().map { try store($0, count: $1, in: storage) }
        let usage = storage.usage
        let failure = "CREATE TRIGGER failure BEFORE DELETE ON blobs BEGIN SELECT RAISE(ABORT, 'failure'); END"
        try storage.index.write { try $0.database.execute(sql: failure) }

        #expect(throws: DatabaseError.self) { try store(5, count: 9_500, in: storage) }
        #expect(throws: DatabaseError.self) { try store(0, count: 9_600, in: storage) }
        #expect(throws: DatabaseError.self) { try storage.setMetadata([UInt8](repeating: 1, count: 90), of: blobs[1]) }

        #expect(storage.usage == usage)
        for blob in blobs { #expect(try storage.reader(of: blob, on: FileThreadPool()) != nil) }
        try storage.index.write { try $0.database.execute(sql: "DROP TRIGGER failure") }
        let replaced = try store(0, count: 9_600, in: storage)
        #expect(try storage.blobs(in: "group 0") == [replaced])
        #expect(try storage.index.read { try $0.entries().map(\.cost).reduce(0, +) } == storage.usage.bytes)
        #expect(storage.usage.count == 5)
        try storage.close()
    }
}
