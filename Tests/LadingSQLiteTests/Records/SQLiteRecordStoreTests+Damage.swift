import Foundation
import GRDB
import LadingConformance
import LadingRecords
import LadingSQLite
import SQLiteFiles
import Synchronization
import Testing
@testable import StoreFixtures
// MARK: - Damage

extension SQLiteRecordStoreTests {
    @Test(arguments: [
        "no database at all, and long enough to be seen as one by its first bytes".utf8.map { $0 },
        Array("SQLite format 3\0 and then nothing".utf8),
    ])
    func `A damaged file is quarantined and replaced by a new one`(bytes: [UInt8]) async throws {
        let folder = try StoreFolder()
        try Data(bytes + [UInt8](repeating: 7, count: 4_096)).write(to: folder.file)

        let store = try Store(at: folder.file)
        _ = try await store.store(page(0..<3))

        let quarantined = try #require(store.quarantinedFile)
        #expect(quarantined.reason == .corrupt)
        #expect(quarantined.file.lastPathComponent == "records.sqlite-damaged-1")
        #expect(try Data(contentsOf: quarantined.file).starts(with: bytes))
        #expect("\(quarantined)".contains(quarantined.file.path))
        #expect(try await store.count(RecordQuery()) == 3)
    }

    @Test func `A file that is damaged again replaces the quarantined one`() throws {
        let folder = try StoreFolder()

        for byte in [UInt8(7), 8] {
            try Data(repeating: byte, count: 8_192).write(to: folder.file)
            let store = try Store(at: folder.file)
            let quarantined = try #require(store.quarantinedFile)
            #expect(quarantined.file.lastPathComponent == "records.sqlite-damaged-1")
            #expect(try Data(contentsOf: quarantined.file) == Data(repeating: byte, count: 8_192))
            try store.close()
        }

        #expect(folder.names.allSatisfy { !$0.contains("-damaged-2") })
    }

    @Test func `A file of a newer release is quarantined intact and replaced by a new one`() async throws {
        let folder = try StoreFolder()
        let old = try Store(at: folder.file)
        _ = try await old.store(page(0..<3))
        try old.close()
        let queue = try DatabaseQueue(path: folder.file.path)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('later')") }
        try queue.close()

        let store = try Store(at: folder.file)

        let quarantined = try #require(store.quarantinedFile)
        #expect(quarantined.reason == .newer)
        #expect(try await store.count(RecordQuery()) == 0)
        let quarantinedQueue = try DatabaseQueue(path: quarantined.file.path)
        #expect(try await quarantinedQueue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM records") } == 3)
    }

    @Test func `Damage that is detected during use replaces the file at that moment`() async throws {
        let folder = try StoreFolder()
        let old = try Store(at: folder.file)
        for start in stride(from: 0, to: 4_000, by: 500) { _ = try await old.store(page(start..<start + 500)) }
        try old.close()
        let size = try #require(try FileManager.default.attributesOfItem(atPath: folder.file.path)[.size] as? Int)
        let handle = try FileHandle(forWritingTo: folder.file)
        try handle.seek(toOffset: UInt64(30 * 4_096))
        try handle.write(contentsOf: Data(repeating: 0xA5, count: size - 40 * 4_096))
        try handle.close()

        let store = try Store(at: folder.file)
        let changes = store.changes()
        var index = 0
        while store.quarantinedFile == nil, index < 4_000 {
            _ = try await store.records(RecordQuery(search: "row"), from: .index(index), limit: 500)
            _ = try await store.records(in: index..<index + 500)
            index += 500
        }

        #expect(store.quarantinedFile?.reason == .corrupt)
        #expect(try await store.count(RecordQuery()) == 0)
        let reader = changes.makeAsyncIterator()
        #expect(await reader.next()?.isListChanged == true)
        #expect(try await store.store(page(0..<3)) == .stored)
        #expect(try await store.count(RecordQuery(search: "row")) == 3)
    }

    @Test func `The store responds while a damaged file is replaced, and reads wait for the new file`() async throws {
        let folder = try StoreFolder()
        let store = try SQLiteRecordStore<ProbedRow>(at: folder.file)
        let rows = (0..<2_000).map { ProbedRow(id: $0, text: String(repeating: "row ", count: 40)) }
        _ = try await store.store(RecordPage(rows, at: 0, generation: 1))
        try overwrite(folder.file, pages: 2..<60)
        let reads = Mutex<[Task<Int, any Error>]>([])
        ProbedRow.onIndexVersion.withLock { hook in
            hook = {
                // Acquires the lock of the store on the thread that replaces its file.
                guard store.quarantinedFile == nil else { return }
                reads.withLock { $0.append(Task { try await store.count(RecordQuery()) }) }
            }
        }
        defer { ProbedRow.onIndexVersion.withLock { $0 = nil } }

        let found = try await store.count(RecordQuery(search: "row"))
        var counts: [Int] = []
        for read in reads.withLock({ $0 }) { counts.append(try await read.value) }

        #expect(found == 0 && store.quarantinedFile?.reason == .corrupt)
        #expect(!counts.isEmpty && counts.allSatisfy { $0 == 0 })
    }

    /// Overwrites pages of a database after checkpointing its log.
    private func overwrite(_ file: URL, pages: Range<Int>) throws {
        let queue = try DatabaseQueue(path: file.path)
        _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try queue.close()
        let handle = try FileHandle(forWritingTo: file)
        try handle.seek(toOffset: UInt64(pages.lowerBound * 4_096))
        try handle.write(contentsOf: Data(repeating: 0xA5, count: pages.count * 4_096))
        try handle.close()
    }

    /// A row type that calls a hook whenever a file is opened.
    private struct ProbedRow: PersistableRow, Codable {
        static let onIndexVersion = Mutex<(@Sendable () -> Void)?>(nil)
        static var indexVersion: Int {
            onIndexVersion.withLock { $0 }?()
            return 1
        }

        var id: Int
        var text: String
        var indexedFields: IndexedFields { IndexedFields(text: [text]) }
    }

    @Test func `A file that cannot be opened is not moved`() throws {
        let folder = try StoreFolder()
        try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: false)

        #expect(throws: SQLiteStoreError.self) { try Store(at: folder.file) }
        #expect(folder.names == ["records.sqlite"])
    }
}
