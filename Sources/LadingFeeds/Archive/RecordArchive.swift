import Dispatch
public import Foundation
public import LadingRecords
import Synchronization
import Timing
import UpdateMerging

/// An archive of named values in a `RecordStore`, available to later processes.
///
/// Writes return at once; `run` writes pending values in batches, one transaction each. Reads return the last value that was put, written or not.
///
/// ```swift
/// let archive = RecordArchive(store: store, byteLimit: 64 << 20)
/// archive.put(named: "manifest/curiosity") { manifest }
/// let stored: Archived<RoverManifest>? = await archive.value(named: "manifest/curiosity")
/// ```
///
/// The archive is a cache: a value that cannot be written or read is missing, and no other call fails. When the values exceed `byteLimit`, the oldest
/// ones are removed, the rows of a feed before its list.
public final class RecordArchive: Sendable {
    /// The default maximum number of pending writes.
    public static let writeLimit = 4_000
    /// The time for which writes are collected into a batch.
    package static let batchInterval = Duration.milliseconds(500)
    /// The time after which a batch that could not be written is written again.
    package static let retryInterval = Duration.seconds(10)
    /// The maximum number of values that one read returns.
    static let readLimit = 256

    private struct State {
        var buffer: ArchiveBuffer
        /// The bytes written since the archive was last trimmed.
        var bytesSinceTrim: Int
        /// The names of the values that are removed last.
        var prioritized: Set<String> = []
        var failure: (any Error)?
        /// The last call of `flush`, which the next one waits for.
        var flush: Task<Bool, Never>?
    }

    private let store: any RecordStore<ArchivedValue>
    private let byteLimit: Int
    private let time: Stopwatch
    private let now: @Sendable () -> Date
    private let onFailure: @Sendable (any Error) -> Void
    private let offload: @Sendable (TaskPriority, @escaping @Sendable () -> Void) -> Void
    private let state: Mutex<State>
    /// Signals that writes are pending.
    private let writeNotifications = MergedUpdates<Void> { _, _ in }
    /// The tasks that run the archive, of which the first one reads the notifications.
    private let readers = ReaderQueue()

    /// Creates an archive.
    ///
    /// - Parameters:
    ///   - byteLimit: The maximum size of all values, in bytes; exceeded by at most a sixteenth.
    ///   - writeLimit: The maximum number of pending writes; beyond it the oldest write is dropped.
    ///   - onFailure: Called with the first error of each series of failed reads or writes.
    ///   - offload: Runs encoding and decoding outside of the cooperative thread pool, because a long list may take a second. The priority is
    ///     `userInitiated` for reads, which a screen waits for, and `utility` for writes.
    public init(
        store: any RecordStore<ArchivedValue>, byteLimit: Int, writeLimit: Int = RecordArchive.writeLimit,
        clock: some Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in },
        offload: @escaping @Sendable (_ priority: TaskPriority, _ work: @escaping @Sendable () -> Void) -> Void = { priority, work in
            DispatchQueue.global(qos: priority == .utility ? .utility : .userInitiated).async(execute: work)
        }
    ) {
        self.store = store
        self.byteLimit = byteLimit
        self.now = now
        self.onFailure = onFailure
        self.offload = offload
        time = Stopwatch(clock)
        // The first batch also trims the values of earlier processes.
        state = Mutex(State(buffer: ArchiveBuffer(limit: writeLimit), bytesSinceTrim: byteLimit))
    }

    // MARK: Writing

    /// Stores a value under a name and replaces the previous value.
    ///
    /// - Parameter value: Called when the value is written.
    public func put(named name: String, _ value: @escaping @Sendable () -> some Encodable & Sendable) {
        put(contentNamed: name) { try JSONEncoder().encode(value()) }
    }

    func put(contentNamed name: String, _ content: @escaping @Sendable () throws -> Data) {
        add(named: name, content: content)
    }

    /// Removes the value with a name.
    public func remove(named name: String) {
        add(named: name) { nil }
    }

    /// Marks a value to be removed after all others when `byteLimit` is exceeded.
    func prioritize(named name: String) {
        state.withLock { _ = $0.prioritized.insert(name) }
    }

    /// Adds a write.
    ///
    /// - Parameter content: Returns the new content of the value when it is written; nil removes it.
    func add(named name: String, removal: ArchiveWrite.Removal? = nil, content: @escaping @Sendable () throws -> Data?) {
        let write = ArchiveWrite(name: name, date: now(), removal: removal, content: content)
        state.withLock { $0.buffer.add(write) }
        writeNotifications.post(())
    }

    /// Writes pending values until the task is cancelled, and then the remaining ones. Values that could not be written are written again after ten
    /// seconds.
    ///
    /// Several tasks may run the archive: one of them writes, and after its end the next one.
    public nonisolated(nonsending) func run() async {
        let isReader = await readers.begin()
        if isReader {
            // The task before may have ended without being able to write.
            if state.withLock({ !$0.buffer.isEmpty }) { writeNotifications.post(()) }
            while await writeNotifications.next() != nil, await writeNextBatches() {}
        }
        await flush()
        if isReader { readers.end() }
    }

    /// Collects writes for a batch, and writes all pending ones until that succeeds. Returns false if the task is cancelled.
    private func writeNextBatches() async -> Bool {
        var delay = Self.batchInterval
        repeat {
            guard (try? await time.sleep(time.elapsed() + delay)) != nil else { return false }
            delay = Self.retryInterval
        } while await !flush()
        return true
    }

    /// Writes all pending values, after an earlier call has ended. Returns false if some of them could not be written.
    @discardableResult
    func flush() async -> Bool {
        let task = state.withLock { state in
            let earlier = state.flush
            // A separate task, because a store may refuse work of a cancelled one.
            let task = Task {
                _ = await earlier?.value
                return await writePending()
            }
            state.flush = task
            return task
        }
        return await task.value
    }

    private func writePending() async -> Bool {
        while case let batch = state.withLock({ $0.buffer.beginBatch() }), !batch.isEmpty {
            let result: Result<Void, any Error>
            do { result = .success(try await write(batch)) } catch { result = .failure(error) }
            reportFirstFailure(of: result)
            let isWritten = (try? result.get()) != nil
            state.withLock { $0.buffer.endBatch(isWritten: isWritten) }
            if !isWritten { return false }
        }
        return true
    }

    private func write(_ batch: [ArchiveWrite]) async throws {
        let changes = await offloaded(.utility) { ArchiveChanges(batch) }
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
        // The store removes the oldest records first, so these are stored again.
        if !prioritized.isEmpty { try await store.put(prioritized) }
        try await store.trim(toBytes: byteLimit)
        state.withLock { $0.bytesSinceTrim = 0 }
    }

    /// Reports the first failure of a series. Cancellation is none: `run` writes the remaining values afterwards.
    private func reportFirstFailure(of result: Result<Void, any Error>) {
        if case .failure(is CancellationError) = result { return }
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
    /// Returns the value with a name; nil if there is none or it cannot be read.
    public nonisolated(nonsending) func value<Value: Decodable & Sendable>(named name: String, as type: Value.Type = Value.self) async
        -> Archived<Value>?
    {
        await content(of: [name])[name].flatMap { content in
            (try? JSONDecoder().decode(Value.self, from: content.value)).map { Archived($0, at: content.date) }
        }
    }

    /// Returns the encoded values with some names.
    func content(of names: [String]) async -> [String: Archived<Data>] {
        var found: [String: Archived<Data>] = [:]
        let waiting = state.withLock { state in names.compactMap { state.buffer.write(named: $0) } }
        for write in waiting { found[write.name] = (try? write.content()).map { Archived($0, at: write.date) } }
        let others = names.filter { name in !waiting.contains { $0.name == name } }
        guard !others.isEmpty, let slice = await read({ try await $0.records(of: others) }) else { return found }
        for record in slice.records { found[record.row.name] = Archived(record.row.content, at: record.storedAt) }
        return found
    }

    /// Passes all written values whose names have a prefix to `body` in batches until it returns false.
    func read(namesWithPrefix prefix: String, body: ([ArchivedValue]) async -> Bool) async {
        var start = ResultCursor.first
        while let slice = await read({ [start] in try await $0.records(RecordQuery(), from: start, limit: Self.readLimit) }),
            let last = slice.records.last
        {
            let values = slice.rows.filter { $0.name.utf8.starts(with: prefix.utf8) }
            guard await body(values) else { return }
            start = .after(last.position)
        }
    }

    /// Returns the result of work that runs outside of the cooperative thread pool.
    func offloaded<Value: Sendable>(_ priority: TaskPriority, _ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in offload(priority) { continuation.resume(returning: work()) } }
    }

    private func read<Outcome>(_ body: (any RecordStore<ArchivedValue>) async throws -> Outcome) async -> Outcome? {
        do {
            return try await body(store)
        } catch {
            reportFirstFailure(of: .failure(error))
            return nil
        }
    }
}

/// The net effect of a batch: the last write of each name.
private struct ArchiveChanges: Sendable {
    private(set) var removed: Set<String> = []
    private var contents: [String: Data] = [:]

    /// Collects the changes of a batch. A value that cannot be encoded does not replace the stored one.
    init(_ batch: [ArchiveWrite]) {
        for write in batch {
            do {
                let content = try write.content()
                for name in write.removedNames() { set(name, to: nil) }
                set(write.name, to: content)
            } catch {}
        }
    }

    private mutating func set(_ name: String, to content: Data?) {
        contents[name] = content
        if content == nil { removed.insert(name) } else { removed.remove(name) }
    }

    var values: [ArchivedValue] { contents.map { ArchivedValue(name: $0.key, content: $0.value) } }
}
