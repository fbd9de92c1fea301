import Foundation
import GRDB
import LadingConformance
import LadingRecords
import LadingSQLite
import SQLiteFiles
import Synchronization
import Testing
@testable import StoreFixtures

@Suite struct SQLiteRecordStoreTests {
    typealias Store = SQLiteRecordStore<ConformanceRow>

    func page(_ ids: Range<Int>, at start: Int? = nil, generation: Int = 1) -> RecordPage<ConformanceRow> {
        RecordPage(
            ids.map { ConformanceRow($0, "row \($0)", weight: Double($0 % 7), coordinates: [0, Double($0 % 180)]) },
            at: start ?? ids.lowerBound,
            generation: generation, next: .offset(ids.upperBound))
    }

    @Test func `Rows, local changes and loaded ranges survive closing the file`() async throws {
        let folder = try StoreFolder()
        let store = try Store(at: folder.file, now: { Date(timeIntervalSince1970: 1_000) })
        _ = try await store.store(page(0..<20))
        try await store.setLocalChange(Data([1]), named: "mark", of: 3)
        try store.close()

        let next = try Store(at: folder.file)

        let records = try await next.records(limit: 100).records
        #expect(records.map(\.row.id) == Array(0..<20))
        #expect(records.allSatisfy { $0.storedAt == Date(timeIntervalSince1970: 1_000) })
        #expect(records[3].localChanges == ["mark": Data([1])])
        #expect(try await next.loadedRanges() == [LoadedRange(places: 0..<20, generation: 1, next: .offset(20))])
        #expect(next.quarantinedFile == nil)
    }

    @Test func `Unchanged rows are not reindexed`() async throws {
        let folder = try StoreFolder()
        let store = try Store(at: folder.file)
        _ = try await store.store(page(0..<20))
        let queue = try DatabaseQueue(path: folder.file.path)
        let trigger = "CREATE TRIGGER removal AFTER DELETE ON keys BEGIN INSERT INTO removals VALUES (old.place); END"
        try await queue.write { try $0.execute(sql: "CREATE TABLE removals (place); \(trigger)") }

        _ = try await store.store(page(0..<20, generation: 2))

        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM removals") } == 0)
        #expect(try await store.newestGeneration() == 2)
        try queue.close()
        try store.close()
    }

    @Test func `A read-only store sees the owner's rows and changes nothing`() async throws {
        let folder = try StoreFolder()
        let owner = try Store(at: folder.file)
        _ = try await owner.store(page(0..<3))
        let reader = try Store(reading: folder.file)

        _ = try await owner.store(page(3..<5))

        #expect(try await reader.records(limit: 9).rows.map(\.id) == [0, 1, 2, 3, 4])
        #expect(try await reader.count(RecordQuery(search: "row 4")) == 1)
        await #expect(throws: (any Error).self) { try await reader.store(page(5..<6)) }
        #expect(try await owner.count(RecordQuery()) == 5)
        try reader.close()
        try owner.close()
    }

    @Test func `A read-only store neither moves a damaged file nor creates one`() throws {
        let folder = try StoreFolder()
        #expect { try Store(reading: folder.file) } throws: { error in
            guard case SQLiteStoreError.missing(let file) = error else { return false }
            return "\(error)" == "\(file.path) does not exist: start the program that writes it"
        }
        #expect(folder.names == [])
        try Data(repeating: 7, count: 8_192).write(to: folder.file)

        #expect(throws: SQLiteStoreError.self) { try Store(reading: folder.file) }

        #expect(folder.names == ["records.sqlite"])
    }

    @Test func `A store in memory searches its rows, and creates no file`() async throws {
        let folder = try StoreFolder()
        let store = try Store(inMemoryReplacing: folder.file)

        _ = try await store.store(page(0..<20))

        #expect(try await store.count(RecordQuery(search: "row 1")) == 11)
        #expect(folder.names == [])
        try store.close()
    }

    @Test func `Removing the files of a store leaves none of its own`() async throws {
        let folder = try StoreFolder()
        try Data(repeating: 7, count: 8_192).write(to: folder.file)
        let store = try Store(at: folder.file)
        _ = try await store.store(page(0..<3))
        try store.close()
        for suffix in ["-newer-1", "-newer-1-wal", ".txt"] { try Data([1]).write(to: URL(filePath: folder.file.path + suffix)) }
        #expect(folder.names.isSuperset(of: ["records.sqlite", "records.sqlite-sum", "records.sqlite-damaged-1"]))

        for _ in 1...2 { try Store.removeFiles(at: folder.file) }

        #expect(folder.names == ["records.sqlite.txt"])
    }

    @Test func `Each call of a closed store throws an error of the store`() async throws {
        let folder = try StoreFolder()
        let store = try Store(at: folder.file)
        let page = page(0..<3)
        _ = try await store.store(page)
        try store.close()

        let calls: [@Sendable (Store) async throws -> Void] = [
            { _ = try await $0.store(page) }, { try await $0.put(page.rows) }, { try await $0.remove([0]) },
            { try await $0.trim(toBytes: 0) }, { try await $0.setLocalChange(nil, named: "mark", of: 0) },
            { try await $0.removeAll() }, { _ = try await $0.loadedRanges() },
            { _ = try await $0.records(RecordQuery(), from: .first, limit: 9) },
            { _ = try await $0.records(RecordQuery(search: "row"), from: .first, limit: 9) },
            { _ = try await $0.records(in: 0..<3) }, { _ = try await $0.record(of: 0) }, { _ = try await $0.records(of: [0]) },
            { _ = try await $0.count(RecordQuery()) },
        ]
        for call in calls { await #expect(throws: SQLiteStoreError.self) { try await call(store) } }
    }

    @Test func `Commits are synchronous`() throws {
        let folder = try StoreFolder()

        #expect(try Store(at: folder.file).synchronous == 2)
    }

    @Test func `Each list of each user has its own file, whose name does not reveal the user`() {
        let directory = URL(filePath: "/data/", directoryHint: .isDirectory)
        let pairs = [("parcels", "ann"), ("parcels", "bob"), ("parcelsa", "nn"), ("photos", "ann"), ("parcels", "../ann")]
        let files = pairs.map { Store.file(for: $0.0, of: $0.1, in: directory) }

        #expect(Set(files).count == files.count)
        #expect(files[0] == Store.file(for: "parcels", of: "ann", in: directory))
        #expect(files.allSatisfy { $0.deletingLastPathComponent().path == directory.path && !$0.lastPathComponent.contains("ann") })
    }

    @Test func `A new index version reindexes all rows`() async throws {
        let folder = try StoreFolder()
        let old = try SQLiteRecordStore<OldRow>(at: folder.file)
        _ = try await old.store(RecordPage((0..<2_500).map { OldRow(id: $0, name: "Row \($0)") }, at: 0, generation: 1))
        #expect(try await old.count(RecordQuery(search: "row")) == 0)
        try old.close()

        let store = try SQLiteRecordStore<NewRow>(at: folder.file)

        #expect(try await store.count(RecordQuery(search: "row")) == 2_500)
        #expect(try await store.count(RecordQuery()) == 2_500)
        let query = RecordQuery(search: "249", order: .sorted("name", descending: true))
        #expect(try await store.records(query, from: .first, limit: 2).rows.map(\.id) == [2_499, 2_498])
        #expect(try await store.records(RecordQuery(), from: .index(2_000), limit: 1).rows.map(\.id) == [2_000])
    }

    @Test func `An interrupted reindexing is repeated by an earlier release, too`() async throws {
        let folder = try StoreFolder()
        let first = try SQLiteRecordStore<NewRow>(at: folder.file)
        _ = try await first.store(RecordPage((0..<2_500).map { NewRow(id: $0, name: "Row \($0)") }, at: 0, generation: 1))
        try first.close()
        let queue = try DatabaseQueue(path: folder.file.path)
        let failure = "WHEN new.place = 2000 BEGIN SELECT RAISE(ABORT, 'interrupted'); END"
        try await queue.write { try $0.execute(sql: "CREATE TRIGGER interruption BEFORE INSERT ON keys \(failure)") }
        #expect(throws: SQLiteStoreError.self) { try SQLiteRecordStore<LaterRow>(at: folder.file) }
        try await queue.write { try $0.execute(sql: "DROP TRIGGER interruption") }
        try queue.close()

        let store = try SQLiteRecordStore<NewRow>(at: folder.file)

        #expect(try await store.count(RecordQuery(search: "row")) == 2_500)
        #expect(store.quarantinedFile == nil)
        try store.close()
    }

    private struct OldRow: PersistableRow, Codable {
        var id: Int
        var name: String
        var indexedFields: IndexedFields { IndexedFields() }
    }

    private struct NewRow: PersistableRow, Codable {
        static let indexVersion = 2
        static let sortKeys: [RecordSortKey] = ["name"]
        var id: Int
        var name: String
        var indexedFields: IndexedFields { IndexedFields(text: [name], sortValues: ["name": .text(name)]) }
    }

    private struct LaterRow: PersistableRow, Codable {
        static let indexVersion = 3
        static let sortKeys: [RecordSortKey] = ["name"]
        var id: Int
        var name: String
        var indexedFields: IndexedFields { IndexedFields(text: [name], sortValues: ["name": .text(name)]) }
    }

    /// Stores three rows, closes the file and changes it.
    private func fill(_ file: URL, thenRun sql: String) async throws {
        let store = try Store(at: file)
        _ = try await store.store(page(0..<3))
        try store.close()
        let queue = try DatabaseQueue(path: file.path)
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test func `An undecodable row is counted and hides no other`() async throws {
        let folder = try StoreFolder()
        try await fill(folder.file, thenRun: "UPDATE records SET content = x'00' WHERE place = 1")

        let slice = try await Store(at: folder.file).records(limit: 10)

        #expect(slice.rows.map(\.id) == [0, 2])
        #expect(slice.unreadable == 1)
    }

    @Test(arguments: [("1e163", Date.distantFuture), ("-1e999", .distantPast)])
    func `The date of a damaged row is clamped`(stored: String, date: Date) async throws {
        let folder = try StoreFolder()
        try await fill(folder.file, thenRun: "UPDATE records SET stored = \(stored)")

        #expect(try await Store(at: folder.file).records(limit: 10).records.map(\.storedAt) == [date, date, date])
    }

    @Test(arguments: [
        "UPDATE runs SET stop = \(Int.max)", "UPDATE runs SET generation = \(Int.max)",
        "UPDATE records SET place = \(Int.max) WHERE place = 2",
        "UPDATE records SET generation = \(Int.min)", "UPDATE anchors SET count = \(Int.min)", "UPDATE anchors SET count = -1",
    ])
    func `A number whose sums would overflow is damage`(sql: String) async throws {
        let folder = try StoreFolder()
        try await fill(folder.file, thenRun: sql)
        let store = try Store(at: folder.file)

        _ = try await store.loadedRanges()
        _ = try await store.records(limit: 10)
        _ = try await store.count(RecordQuery())
        try await store.put([ConformanceRow(9, "row 9")])

        #expect(store.quarantinedFile?.reason == .corrupt)
        #expect(try await store.records(limit: 10).rows.map(\.id) == [9])
        try store.close()
    }

    @Test func `Rows are not appended after a place that would overflow`() async throws {
        let folder = try StoreFolder()
        try await fill(folder.file, thenRun: "UPDATE records SET place = \(Int.max) WHERE place = 2")
        let store = try Store(at: folder.file)

        try await store.put([ConformanceRow(9, "row 9")])

        #expect(store.quarantinedFile?.reason == .corrupt)
        #expect(try await store.records(limit: 10).rows.map(\.id) == [9])
        try store.close()
    }

    @Test func `Searches during writes find all rows, and the log stays short`() async throws {
        let folder = try StoreFolder()
        let store = try Store(at: folder.file)
        _ = try await store.store(page(0..<1_000))
        let isDone = AtomicFlag()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    repeat {
                        let found = try await store.records(RecordQuery(search: "row 99"), from: .first, limit: 20).rows
                        #expect(found.first?.id == 99 && found.count >= 11)
                        #expect(try await store.records(RecordQuery(), from: .index(990), limit: 10).rows.count == 10)
                    } while !isDone.isSet
                }
            }
            for start in stride(from: 1_000, to: 41_000, by: 1_000) { _ = try await store.store(page(start..<start + 1_000)) }
            isDone.set()
            try await group.waitForAll()
        }

        let size = try #require(try FileManager.default.attributesOfItem(atPath: folder.log.path)[.size] as? Int)
        #expect(size <= 24 << 20)
        #expect(try await store.count(RecordQuery(search: "row")) == 41_000)
    }

    @Test func `A local change is reported as such, with the place of its row`() async throws {
        let folder = try StoreFolder()
        let store = try Store(at: folder.file)
        _ = try await store.store(page(0..<5))
        let reader = store.changes().makeAsyncIterator()

        try await store.setLocalChange(Data([1]), named: "mark", of: 3)

        let change = try #require(await reader.next())
        #expect(change.hasOnlyLocalChanges && !change.isListChanged)
        #expect(change.rows == [3] && change.places == 3...3)
        try store.close()
    }

    @Test func `Each page is reported to a thousand readers`() async throws {
        let folder = try StoreFolder()
        let store = try Store(at: folder.file)
        let watchers = (0..<1_000).map { _ in store.changes() }

        try await withThrowingTaskGroup(of: Set<Int>?.self) { group in
            for watcher in watchers {
                group.addTask {
                    let reader = watcher.makeAsyncIterator()
                    return await reader.next()?.rows
                }
            }
            _ = try await store.store(page(0..<5))
            for try await rows in group { #expect(rows == Set(0..<5)) }
        }
    }

    @Test func `Closing a store ends its change sequences, and those that are created later`() async throws {
        let folder = try StoreFolder()
        let store = try Store(at: folder.file)
        let changes = store.changes()
        try store.close()

        for changes in [changes, store.changes()] {
            let reader = changes.makeAsyncIterator()
            #expect(await reader.next() == nil)
        }
    }
}
