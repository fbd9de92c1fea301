import Foundation
import LadingCaching
import LadingConformance
import LadingJournals
import LadingOutbox
import LadingRecords
import LadingTesting
import SQLiteFiles
import Testing
@testable import LadingSQLite

/// Tests of stores that are opened on a full disk.
@Suite(.timeLimit(.minutes(10)), .enabled(if: RAMDisk.isSupported, "only root may mount a disk")) struct FullDiskStoreTests {
    private func entry(_ key: String) throws -> OutboxEntry {
        OutboxEntry(
            id: try #require(IdempotencyKey(rawValue: key)), subject: "a",
            request: OutboxRequest(url: try #require(URL(string: "https://a.example/b"))), actionDate: .now, added: .now)
    }

    @Test(arguments: [true, false])
    func `An outbox on a full disk reads its entries and adds new ones once there is room`(isKilled: Bool) async throws {
        let disk = try RAMDisk(mebibytes: 1)
        defer { disk.unmount() }
        let file = disk.folder.appending(path: "outbox.sqlite")
        let first = try SQLiteOutboxJournal(at: file)
        guard case .inserted(let added) = try await first.add(entry("a")) else { throw CancellationError() }
        let openedFile = try isKilled ? copyOfOpen(file) : file
        try first.close()
        try disk.fill()

        let journal = try SQLiteOutboxJournal(at: openedFile)
        let found = try await journal.contents(of: "")
        // Opening has freed space by removing files beside the journal.
        try disk.fill()
        await #expect(throws: OutboxError.diskFull) { try await journal.add(entry("b")) }
        try disk.freeSpace()
        _ = try await journal.add(entry("c"))
        try journal.close()
        let next = try SQLiteOutboxJournal(at: openedFile)

        #expect(journal.isDiskFull && !next.isDiskFull)
        #expect(found == OutboxContents(entries: [added]))
        #expect(try await next.contents(of: "").entries.map(\.id.rawValue) == ["a", "c"])
        try next.close()
    }

    /// Copies the files of an open journal, as a killed program leaves them.
    private func copyOfOpen(_ file: URL) throws -> URL {
        let copy = file.deletingPathExtension().appendingPathExtension("killed.sqlite")
        for ending in ["", "-wal"] { try FileManager.default.copyItem(atPath: file.path + ending, toPath: copy.path + ending) }
        return copy
    }

    @Test func `A missing outbox cannot be created on a full disk`() async throws {
        let disk = try RAMDisk(mebibytes: 1)
        defer { disk.unmount() }
        try disk.fill()

        #expect { try SQLiteOutboxJournal(at: disk.folder.appending(path: "outbox.sqlite")) } throws: { error in
            if case SQLiteJournalError.diskFull = error { true } else { false }
        }
        #expect { try SQLiteTransferJournal(at: disk.folder.appending(path: "transfers.sqlite")) } throws: { error in
            if case SQLiteJournalError.diskFull = error { true } else { false }
        }
    }

    @Test func `A record store on a full disk reads and searches its rows`() async throws {
        let disk = try RAMDisk(mebibytes: 2)
        defer { disk.unmount() }
        let file = disk.folder.appending(path: "records.sqlite")
        let first = try SQLiteRecordStore<ConformanceRow>(at: file)
        _ = try await first.store(PageGenerator(seed: 1).page(0))
        let rows = try await first.records(limit: 100).rows
        try first.close()
        try disk.fill()

        let store = try SQLiteRecordStore<ConformanceRow>(at: file)

        #expect(store.isDiskFull)
        #expect(try await store.records(limit: 100).rows == rows)
        #expect(try await store.count(RecordQuery(search: "page")) == rows.count)
        await #expect(throws: SQLiteStoreError.self) { try await store.store(PageGenerator(seed: 1).page(1)) }
        #expect(try await store.records(limit: 100).rows == rows)
        try store.close()
    }

    @Test func `A record store without room for a file works in memory`() async throws {
        let disk = try RAMDisk(mebibytes: 1)
        defer { disk.unmount() }
        let file = disk.folder.appending(path: "records.sqlite")
        try disk.fill()

        #expect { try SQLiteRecordStore<ConformanceRow>(at: file) } throws: { error in
            if case SQLiteStoreError.diskFull = error { true } else { false }
        }
        let store = try SQLiteRecordStore<ConformanceRow>(inMemoryReplacing: file)
        _ = try await store.store(PageGenerator(seed: 1).page(0))

        let count = try await store.records(limit: 100).rows.count
        #expect(store.isDiskFull && count > 0)
        #expect(try await store.count(RecordQuery(search: "page")) == count)
        try store.close()
    }

    @Test func `A blob store on a full disk reads its bodies and refuses new ones`() async throws {
        let disk = try RAMDisk(mebibytes: 2)
        defer { disk.unmount() }
        let folder = disk.folder.appending(path: "photos", directoryHint: .isDirectory)
        let first = try SQLiteBlobStore(in: folder, byteLimit: 1 << 20)
        let writer = try await first.write(BlobKey(group: "a"), metadata: [1])
        try await writer.append([2, 3])
        _ = try await writer.finish(metadata: nil)
        try first.close()
        try disk.fill()

        let store = try SQLiteBlobStore(in: folder, byteLimit: 1 << 20)

        #expect(store.isDiskFull)
        #expect(try await store.blobs(in: "a").map(\.metadata) == [[1]])
        await #expect(throws: BlobStoreError.self) {
            let writer = try await store.write(BlobKey(group: "b"), metadata: [])
            try await writer.append([UInt8](repeating: 7, count: 100_000))
            _ = try await writer.finish(metadata: nil)
        }
        try store.close()
    }
}
