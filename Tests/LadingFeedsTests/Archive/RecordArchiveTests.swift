import Foundation
import LadingRecords
import LadingTesting
import Synchronization
import Testing
@testable import LadingFeeds

@Suite struct RecordArchiveTests {
    private struct StoreFull: Error {}

    private let clock = ManualClock()
    private let store = MemoryRecordStore<ArchivedValue>()

    private func archive(byteLimit: Int = 1 << 20, onFailure: @escaping @Sendable (any Error) -> Void = { _ in }) -> RecordArchive {
        RecordArchive(
            store: store, byteLimit: byteLimit, clock: clock, now: { Date(timeIntervalSince1970: 60) }, onFailure: onFailure,
            offload: { $1() })
    }

    private func names() async throws -> [String] { try await store.records(limit: 100).rows.map(\.name).sorted() }

    @Test func `A value is read by its name before and after it is written`() async throws {
        let archive = archive()
        archive.put(named: "a") { [1, 2] }
        archive.put(named: "b") { "text" }

        #expect(await archive.value(named: "a", as: [Int].self)?.value == [1, 2])
        #expect(await archive.value(named: "a", as: [Int].self)?.date == Date(timeIntervalSince1970: 60))
        #expect(try await names() == [])
        await archive.flush()
        #expect(try await names() == ["a", "b"])
        #expect(await archive.value(named: "b", as: String.self)?.value == "text")
        #expect(await archive.value(named: "b", as: Int.self) == nil)
        #expect(await archive.value(named: "c", as: Int.self) == nil)
    }

    @Test func `Values of one interval are written together`() async throws {
        let archive = archive()
        let changes = store.changes().makeAsyncIterator()
        let running = Task { await archive.run() }
        archive.put(named: "a") { 1 }
        _ = await clock.nextTimer()
        archive.put(named: "b") { 2 }
        archive.remove(named: "a")
        archive.put(named: "c") { 3 }

        #expect(try await names() == [])
        clock.advance(by: RecordArchive.batchInterval)
        #expect(await changes.next()?.rows == ["b", "c"])
        #expect(try await names() == ["b", "c"])
        running.cancel()
        await running.value
    }

    @Test func `Waiting values are written when the task is cancelled`() async throws {
        let archive = archive()
        let running = Task { await archive.run() }
        archive.put(named: "a") { 1 }
        _ = await clock.nextTimer()

        running.cancel()
        await running.value

        #expect(try await names() == ["a"])
    }

    @Test(.timeLimit(.minutes(10))) func `An archive that runs again writes later values`() async throws {
        let archive = archive()
        let former = Task { await archive.run() }
        former.cancel()
        await former.value
        let changes = store.changes().makeAsyncIterator()

        let running = Task { await archive.run() }
        archive.put(named: "a") { 1 }
        _ = await clock.nextTimer()
        clock.advance(by: RecordArchive.batchInterval)

        #expect(await changes.next()?.rows == ["a"])
        running.cancel()
        await running.value
    }

    @Test(.timeLimit(.minutes(10))) func `Values that could not be written are written again without further values`() async throws {
        let archive = archive()
        let changes = store.changes().makeAsyncIterator()
        store.fail(with: StoreFull())
        let running = Task { await archive.run() }
        archive.put(named: "a") { 1 }
        _ = await clock.nextTimer()

        clock.advance(by: RecordArchive.batchInterval)
        #expect(await clock.nextTimer() == clock.now.advanced(by: RecordArchive.retryInterval))
        store.fail(with: nil)
        clock.advance(by: RecordArchive.retryInterval)

        #expect(await changes.next()?.rows == ["a"])
        running.cancel()
        await running.value
    }

    @Test(.timeLimit(.minutes(10))) func `Values that a former task could not write are written by the next one`() async throws {
        let archive = archive()
        let changes = store.changes().makeAsyncIterator()
        store.fail(with: StoreFull())
        archive.put(named: "a") { 1 }
        let former = Task { await archive.run() }
        _ = await clock.nextTimer()
        former.cancel()
        await former.value
        store.fail(with: nil)

        let running = Task { await archive.run() }
        _ = await clock.nextTimer()
        clock.advance(by: RecordArchive.batchInterval)

        #expect(await changes.next()?.rows == ["a"])
        running.cancel()
        await running.value
    }

    @MainActor @Test(.timeLimit(.minutes(10))) func `A further task that runs the archive waits, and writes after the end of the first`()
        async throws
    {
        let archive = archive()
        let changes = store.changes().makeAsyncIterator()
        let tasks = (0..<2).map { _ in Task { await archive.run() } }
        // Both tasks have begun when a later one of the main actor has.
        await Task { @MainActor in }.value

        tasks[0].cancel()
        await tasks[0].value
        archive.put(named: "a") { 1 }
        _ = await clock.nextTimer()
        clock.advance(by: RecordArchive.batchInterval)

        #expect(await changes.next()?.rows == ["a"])
        tasks[1].cancel()
        await tasks[1].value
    }

    @Test func `Reads are decoded at a higher priority than writes are encoded`() async throws {
        let priorities = Mutex<[TaskPriority]>([])
        let archive = RecordArchive(
            store: store, byteLimit: 1 << 20, clock: clock,
            offload: { priority, work in
                priorities.withLock { $0.append(priority) }
                work()
            })
        let archivedFeed = FeedArchive<LetterFeed>(in: archive, named: "letters")
        archivedFeed.store(["a"].map { LetterFeed.Letter(id: $0) }, at: Date(timeIntervalSince1970: 60))
        archivedFeed.put("a1", of: "a")

        await archive.flush()
        #expect(priorities.withLock { $0 } == [.utility])
        #expect(await archivedFeed.list()?.snapshot.count == 1)
        await archivedFeed.readRows { _ in true }

        #expect(priorities.withLock { $0 } == [.utility, .userInitiated, .userInitiated])
    }

    @Test(.timeLimit(.minutes(10))) func `Concurrent calls write one batch after the other`() async throws {
        let (works, offloading) = AsyncStream<@Sendable () -> Void>.makeStream()
        let archive = RecordArchive(store: store, byteLimit: 1 << 20, clock: clock, offload: { offloading.yield($1) })
        let offloaded = Task { for await work in works { work() } }

        await withDiscardingTaskGroup { tasks in
            for number in 0..<50 {
                tasks.addTask {
                    archive.put(named: "\(number)") { number }
                    await archive.flush()
                }
            }
        }
        offloading.finish()
        await offloaded.value

        #expect(try await Set(names()) == Set((0..<50).map { "\($0)" }))
    }

    @Test func `A value is removed by its name, and one that cannot be encoded preserves its stored value`() async throws {
        let archive = archive()
        archive.put(named: "a") { 1.0 }
        archive.put(named: "b") { 1.0 }
        await archive.flush()

        archive.remove(named: "a")
        archive.put(named: "b") { Double.infinity }
        #expect(await archive.value(named: "a", as: Double.self) == nil)
        await archive.flush()

        #expect(try await names() == ["b"])
        #expect(await archive.value(named: "b", as: Double.self)?.value == 1)
    }

    @Test(arguments: ["a\nb", "a\r\nb", "\n", "a\u{1B}nb", "a\u{1B}\nb\u{1B}e", ""])
    func `A name may contain any character`(name: String) async throws {
        let value = ArchivedValue(name: name, content: Data("first\nsecond".utf8))
        #expect(value.name == name)
        #expect(try ArchivedValue(encoded: value.encoded()) == value)

        let archive = archive()
        archive.put(named: name) { 1 }
        archive.put(named: "a b") { 2 }
        await archive.flush()
        #expect(await archive.value(named: name, as: Int.self)?.value == 1)
        archive.remove(named: name)
        await archive.flush()
        #expect(try await names() == ["a b"])
    }

    @Test func `The encoding of a value with an ordinary name does not change`() throws {
        let value = ArchivedValue(name: "orders/row/Müller 1", content: Data("{}".utf8))

        #expect(value.encoded() == Data("orders/row/Müller 1\n{}".utf8))
        #expect(try ArchivedValue(encoded: Data("orders/row/Müller 1\n{}".utf8)) == value)
    }

    @Test func `A failing store loses nothing, is reported once, and is retried with the next value`() async throws {
        let reports = Mutex(0)
        let archive = archive { _ in reports.withLock { $0 += 1 } }
        store.fail(with: StoreFull())
        archive.put(named: "a") { 1 }
        await archive.flush()
        archive.put(named: "b") { 2 }
        await archive.flush()

        #expect(reports.withLock { $0 } == 1)
        #expect(await archive.value(named: "a", as: Int.self)?.value == 1)
        store.fail(with: nil)
        archive.put(named: "c") { 3 }
        await archive.flush()
        #expect(try await names() == ["a", "b", "c"])
    }

    @Test func `A write that is cancelled loses nothing and is not reported`() async throws {
        let reports = Mutex(0)
        let archive = archive { _ in reports.withLock { $0 += 1 } }
        store.fail(with: CancellationError())
        archive.put(named: "a") { 1 }
        await archive.flush()
        store.fail(with: nil)
        await archive.flush()

        #expect(reports.withLock { $0 } == 0)
        #expect(try await names() == ["a"])
    }

    @Test func `Values over the size limit are removed, including those of an earlier run`() async throws {
        let text = String(repeating: "x", count: 1_000)
        let former = archive()
        for number in 0..<20 { former.put(named: "old \(number)") { text } }
        await former.flush()

        let archive = archive(byteLimit: 10_000)
        archive.put(named: "new") { text }
        await archive.flush()

        let names = try await names()
        #expect(names.count == 9)
        #expect(names.contains("new"))
    }

    @Test func `The list of a feed is removed after its oldest rows`() async throws {
        let seconds = Mutex(0.0)
        let store = MemoryRecordStore<ArchivedValue>(now: {
            seconds.withLock { seconds in
                seconds += 1
                return Date(timeIntervalSince1970: seconds)
            }
        })
        let archive = RecordArchive(store: store, byteLimit: 2_000, clock: clock, offload: { $1() })
        let archivedFeed = FeedArchive<LetterFeed>(in: archive, named: "letters")
        archivedFeed.store(["a", "b", "c"].map { LetterFeed.Letter(id: $0) }, at: Date(timeIntervalSince1970: 60))
        await archive.flush()

        for id in 0..<10 {
            archivedFeed.put(String(repeating: "x", count: 300), of: "\(id)")
            await archive.flush()
        }

        #expect(await archivedFeed.list()?.snapshot.count == 3)
        #expect(await archivedFeed.rows(of: ["0", "9"]).map(\.id) == ["9"])
    }
}
