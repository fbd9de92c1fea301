import Foundation
import LadingOperations
import LadingRecords
import Testing
@testable import LadingFeeds
@testable import LadingSQLite
@testable import StoreFixtures

/// Tests of a feed whose list and rows are archived in a file.
@Suite struct SQLiteArchiveTests {
    private struct Book: Identifiable, Codable, Sendable { let id: Int }

    /// A feed of a thousand books with a server that may be unreachable.
    private struct BookFeed: Feed {
        struct Unreachable: Error {}
        var isReachable = true

        func list() -> BackendOperation<[Book]> {
            BackendOperation("list", lane: .cpu) {
                guard isReachable else { throw Unreachable() }
                return (0..<1_000).map { Book(id: $0) }
            }
        }

        func load(_ book: Book) -> BackendOperation<String> {
            BackendOperation("book \(book.id)", lane: .cpu) {
                guard isReachable else { throw Unreachable() }
                return "Book \(book.id)"
            }
        }
    }

    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    /// Calls the body with an archive in the file, as one process of a program.
    private func run(_ body: (RecordArchive, SQLiteRecordStore<ArchivedValue>) async throws -> Void) async throws {
        let store = try SQLiteRecordStore<ArchivedValue>(at: folder.file)
        let archive = RecordArchive(store: store, byteLimit: 1 << 20)
        try await body(archive, store)
        await archive.flush()
        try store.close()
    }

    @Test func `A list and its rows are available offline in the next process`() async throws {
        try await run { archive, _ in
            let memory = FeedCache<BookFeed>(archive: FeedArchive(in: archive, named: "books"))
            let queue = BackendQueue()
            memory.store(try await queue.value(of: BookFeed().list(), priority: .visible), fetchEpoch: nil, refreshEpoch: nil)
            await memory.restoreList(through: queue)
            for id in 0..<600 { memory.store("Book \(id)", for: id) }
        }

        try await run { archive, _ in
            let memory = FeedCache<BookFeed>(archive: FeedArchive(in: archive, named: "books"))
            let feed = BookFeed(isReachable: false)
            let queue = BackendQueue()
            await memory.restoreList(through: queue)
            try #require(memory.snapshot?.count == 1_000)
            let screen = FeedController(feed: feed, cache: memory, queue: queue)
            screen.start()
            screen.setViewport(Viewport(visible: 595..<600))
            for await _ in screen.updates where !screen.isRestoring && screen.list.state == .failed && screen.state(of: 599).row != nil {
                break
            }

            #expect(screen.list.snapshot.count == 1_000)
            #expect((595..<600).map { screen.state(of: $0).row } == (595..<600).map { "Book \($0)" })
            #expect(memory.archiveDate(of: 599) != nil)
            screen.stop()
        }
    }

    @Test func `Many values are written, read, replaced and removed by name`() async throws {
        try await run { archive, store in
            for number in 0..<1_500 { archive.put(named: "number/\(number)") { number } }
            await archive.flush()
            archive.put(named: "number/7") { 70 }
            archive.remove(named: "number/8")
            await archive.flush()

            let count = try await store.count(RecordQuery())
            #expect(count == 1_499)
        }

        try await run { archive, _ in
            #expect(await archive.value(named: "number/7", as: Int.self)?.value == 70)
            #expect(await archive.value(named: "number/8", as: Int.self) == nil)
            #expect(await archive.value(named: "number/1499", as: Int.self)?.value == 1_499)
            var names: Set<String> = []
            await archive.read(namesWithPrefix: "number/1") { values in
                names.formUnion(values.map(\.name))
                return true
            }
            #expect(names.count == 611)
        }
    }

    @Test func `A damaged file is quarantined, and all values are loaded again`() async throws {
        try await run { archive, _ in archive.put(named: "a") { 1 } }
        try Data(repeating: 1, count: 4_096).write(to: folder.file)

        try await run { archive, store in
            #expect(store.quarantinedFile?.reason == .corrupt)
            #expect(await archive.value(named: "a", as: Int.self) == nil)
            archive.put(named: "a") { 2 }
        }
        try await run { archive, _ in
            let value = await archive.value(named: "a", as: Int.self)?.value
            #expect(value == 2)
        }
    }
}
