import Dispatch
public import Foundation
import LadingOperations
import Synchronization

/// Named values that outlive the process, in a `RecordStore`.
///
/// Writing returns at once: `run` writes what has gathered, many values in one transaction. What is read is what was put last, written or not.
///
/// ```swift
/// let archive = RecordArchive(store: store, byteLimit: 64 << 20)
/// archive.put(named: "manifest/curiosity") { manifest }
/// let stored: Archived<RoverManifest>? = await archive.value(named: "manifest/curiosity")
/// ```
///
/// It is a cache: a value that cannot be written or read is missing, and nothing else fails. When the values take more than `byteLimit`, those that were written first are removed;
/// the list of a feed goes after its rows.
public final class RecordArchive: Sendable {
    /// The default maximum number of waiting writes.
    public static let writeLimit = 4_000
    /// The time in which writes gather before they are written.
    public static let batchInterval = Duration.milliseconds(500)
    /// The number of values that are read in one go.
    static let readLimit = 256

    private struct State {
        var buffer: ArchiveBuffer
        /// The bytes written since the archive was last trimmed.
        var bytesSinceTrim: Int
        /// The names of values that are removed last.
        var prioritized: Set<String> = []
        var failure: (any Error)?
    }

    private let store: any RecordStore<ArchivedValue>
    private let byteLimit: Int
    private let time: Stopwatch
    private let now: @Sendable () -> Date
    private let onFailure: @Sendable (any Error) -> Void
    private let offload: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state: Mutex<State>
    private let writeNotifications: AsyncStream<Void>
    private let writeContinuation: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - byteLimit: The maximum size of all values, in bytes; exceeded by a sixteenth at most.
    ///   - writeLimit: The maximum number of waiting writes; beyond it the oldest one is dropped.
    ///   - onFailure: Called with the first error of a series of failed reads or writes.
    ///   - offload: Runs encoding and decoding, which may take a second for a long list, outside of the threads that tasks share.
    public init(
        store: any RecordStore<ArchivedValue>, byteLimit: Int, writeLimit: Int = RecordArchive.writeLimit,
        clock: some Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in },
        offload: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { DispatchQueue.global(qos: .utility).async(execute: $0) }
    ) {
        self.store = store
        self.byteLimit = byteLimit
        self.now = now
        self.onFailure = onFailure
        self.offload = offload
        time = Stopwatch(clock)
        (writeNotifications, writeContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // What an earlier run has left is trimmed with the first batch.
        state = Mutex(State(buffer: ArchiveBuffer(limit: writeLimit), bytesSinceTrim: byteLimit))
    }

    // MARK: Writing

    /// Stores a value under a name, in place of the one it had.
    ///
    /// - Parameter value: Called when the value is written.
    public func put(named name: String, _ value: @escaping @Sendable () -> some Encodable & Sendable) {
        put(contentNamed: name) { try JSONEncoder().encode(value()) }
    }

    func put(contentNamed name: String, _ content: @escaping @Sendable () throws -> Data) {
        add(named: name) { ArchiveWrite.Change(content: try content()) }
    }

    /// Removes the value of a name.
    public func remove(named name: String) {
        add(named: name) { ArchiveWrite.Change() }
    }

    /// Removes the value of a name after all others when there is not enough room.
    func prioritize(named name: String) {
        state.withLock { _ = $0.prioritized.insert(name) }
    }

    func add(named name: String, change: @escaping @Sendable () throws -> ArchiveWrite.Change) {
        let write = ArchiveWrite(name: name, date: now(), change: change)
        state.withLock { $0.buffer.add(write) }
        writeContinuation.yield()
    }

    /// Writes what is put, until the task is cancelled; what waits then is still written.
    public nonisolated(nonsending) func run() async {
        for await _ in writeNotifications {
            guard (try? await time.sleep(time.elapsed() + Self.batchInterval)) != nil else { break }
            await flush()
        }
        // A store may refuse a task that is cancelled.
        await Task { await flush() }.value
    }

    /// Writes what waits. Must not be called while `run` is under way in another task.
    func flush() async {
        while case let batch = state.withLock({ $0.buffer.beginBatch() }), !batch.isEmpty {
            let result: Result<Void, any Error>
            do { result = .success(try await write(batch)) } catch { result = .failure(error) }
            reportFirstFailure(of: result)
            let isWritten = (try? result.get()) != nil
            state.withLock { $0.buffer.endBatch(isWritten: isWritten) }
            if !isWritten { return }
        }
    }

    private func write(_ batch: [ArchiveWrite]) async throws {
        let changes = await offloaded { ArchiveChanges(batch) }
        if !changes.removed.isEmpty { try await store.remove(Array(changes.removed)) }
        let values = changes.values
        if !values.isEmpty { try await store.put(values) }
        let isFull = state.withLock { state in
            state.bytesSinceTrim += values.reduce(0) { $0 + $1.content.count }
            return state.bytesSinceTrim > byteLimit / 16
        }
        if isFull { try await trim() }
    }

    private func trim() async throws {
        let names = state.withLock { Array($0.prioritized) }
        let prioritized = try await names.isEmpty ? [] : store.records(of: names).rows
        // The store removes first what was stored first.
        if !prioritized.isEmpty { try await store.put(prioritized) }
        try await store.trim(toBytes: byteLimit)
        state.withLock { $0.bytesSinceTrim = 0 }
    }

    /// Reports the first failure of a series.
    private func reportFirstFailure(of result: Result<Void, any Error>) {
        let isNew = state.withLock { state in
            let earlier = state.failure
            if case .failure(let error) = result { state.failure = error } else { state.failure = nil }
            return earlier == nil
        }
        if isNew, case .failure(let error) = result { onFailure(error) }
    }
}

// MARK: - Reading

extension RecordArchive {
    /// The value of a name; nil when there is none, or none that can be read.
    public nonisolated(nonsending) func value<Value: Decodable & Sendable>(named name: String, as type: Value.Type = Value.self) async
        -> Archived<Value>?
    {
        await content(of: [name])[name].flatMap { content in
            (try? JSONDecoder().decode(Value.self, from: content.value)).map { Archived($0, at: content.date) }
        }
    }

    /// The encoded values of some names.
    func content(of names: [String]) async -> [String: Archived<Data>] {
        var found: [String: Archived<Data>] = [:]
        let waiting = state.withLock { state in names.compactMap { state.buffer.write(named: $0) } }
        for write in waiting { found[write.name] = (try? write.change())?.content.map { Archived($0, at: write.date) } }
        let others = names.filter { name in !waiting.contains { $0.name == name } }
        guard !others.isEmpty, let slice = await read({ try await $0.records(of: others) }) else { return found }
        for record in slice.records { found[record.row.name] = Archived(record.row.content, at: record.storedAt) }
        return found
    }

    /// Hands over all values that are written and whose names begin with a text, some at a time, until the body returns false.
    func read(namesWithPrefix prefix: String, body: ([ArchivedValue]) async -> Bool) async {
        var start = ResultCursor.first
        while let slice = await read({ [start] in try await $0.records(RecordQuery(), from: start, limit: Self.readLimit) }),
            let last = slice.records.last
        {
            let values = slice.rows.filter { $0.name.hasPrefix(prefix) }
            guard await body(values) else { return }
            start = .after(last.position)
        }
    }

    /// The result of work that may take long.
    func offloaded<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in offload { continuation.resume(returning: work()) } }
    }

    private func read<Outcome>(_ body: (any RecordStore<ArchivedValue>) async throws -> Outcome) async -> Outcome? {
        do {
            return try await body(store)
        } catch {
            if !(error is CancellationError) { reportFirstFailure(of: .failure(error)) }
            return nil
        }
    }
}

/// The net effect of a batch: the last write of each name.
private struct ArchiveChanges: Sendable {
    private(set) var removed: Set<String> = []
    private var contents: [String: Data] = [:]

    /// A value that cannot be encoded is left as it is.
    init(_ batch: [ArchiveWrite]) {
        for write in batch {
            guard let change = try? write.change() else { continue }
            for name in change.removed + (change.content == nil ? [write.name] : []) {
                removed.insert(name)
                contents[name] = nil
            }
            guard let content = change.content else { continue }
            contents[write.name] = content
            removed.remove(write.name)
        }
    }

    var values: [ArchivedValue] { contents.map { ArchivedValue(name: $0.key, content: $0.value) } }
}
