import FileAccess
public import Foundation
public import HTTPTypes
public import LadingHTTP
public import LadingOperations
import Observers
import Synchronization
import Timing

/// Downloads to files and uploads of files, each with an id to observe, pause, resume and cancel it.
///
/// ```swift
/// let transfers = FileTransfers(client: client, queue: queue, journal: journal)
/// try await transfers.restore()
/// let id = try await transfers.download(url, to: file)
/// for await progress in transfers.progress(of: id).updates() { bar.show(progress.fraction) }
/// ```
///
/// The state of each transfer is in the journal, so that the next process resumes it from the data that is safely on disk or at the server.
///
/// A journal has one owner: the `FileTransfers` that used it first, in any process, until its `shutDown()` or the end of its process. In any
/// other one `restore`, `download`, `upload` and `runQueuedCommands` throw `TransferError.journalInUse`; it can send commands to the owner
/// with `TransferJournal.post(_:)`.
///
/// Transfers continue until `shutDown()`, also without a reference to their `FileTransfers`: those that have not ended retain it, and with it the
/// ownership of the journal. A failed transfer has not ended, because it can be resumed. Of the finished and cancelled ones the last 200 are known, here
/// and in the journal; an older one is an unknown transfer.
public final class FileTransfers: Sendable {
    /// The maximum number of finished and cancelled transfers, here and in the journal.
    package static let historyLimit = 200
    /// The interval at which the journal is polled for commands of other programs.
    package static let commandPollInterval = Duration.milliseconds(250)
    /// The maximum time for which a shutdown waits for servers that remove cancelled uploads.
    package static let removalTimeLimit = Duration.seconds(2)

    private struct State {
        /// The tasks of the transfers that have not ended, or whose end is not in the journal.
        var tasks: [TransferID: TransferTask] = [:]
        /// The states of all known transfers.
        var trackers: [TransferID: TransferTracker] = [:]
        /// The known transfers, oldest first.
        var order: [TransferID] = []
        /// The transfers that have ended, in the order of their ends.
        var ended: [TransferID] = []
        var random: any RandomNumberGenerator & Sendable
        /// The task that performs queued commands; nil before the first.
        var commandTask: Task<Void, any Error>?
        var isClosed = false

        /// Adds a transfer unless it is known; returns whether it was added. After a shutdown none is added.
        ///
        /// - Parameter task: The task of the transfer; nil if it has ended.
        mutating func add(_ tracker: TransferTracker, _ task: TransferTask?, of id: TransferID) -> Bool {
            guard !isClosed, trackers[id] == nil else { return false }
            trackers[id] = tracker
            order.append(id)
            if let task { tasks[id] = task } else { ended.append(id) }
            return true
        }

        /// Adds a transfer to those that have ended; returns the ones that exceed the limit, which are no longer known.
        mutating func end(_ id: TransferID) -> [TransferID] {
            ended.append(id)
            let surplus = Array(ended.prefix(max(0, ended.count - FileTransfers.historyLimit)))
            ended.removeFirst(surplus.count)
            for id in surplus { trackers[id] = nil }
            order.removeAll { surplus.contains($0) }
            return surplus
        }
    }

    private let state: Mutex<State>
    private let listObservers = Observers<Void>()
    let context: TransferContext
    private let owner: JournalOwner
    private let queue: BackendQueue
    private let retryPolicy: TransferRetryPolicy
    private let refreshURL: @Sendable (FileTransfer) async throws -> URL?
    private let now: @Sendable () -> Date

    /// Creates the transfers of a journal.
    ///
    /// - Parameters:
    ///   - client: The client that sends the requests. Downloads do not use its cache.
    ///   - queue: The queue that runs attempts, as background work in a lane for the transfers of their server.
    ///   - digests: The supported algorithms. The first of them in `Repr-Digest` or `Content-Digest` is checked.
    ///   - retryPolicy: The delays between attempts, and their maximum number.
    ///   - clock: The clock for delays and for the durations of attempts.
    ///   - headers: Returns the header fields of a request to a URL, such as credentials. It is called for each request; its result is not stored.
    ///   - refreshURL: Returns another URL of the same file when one may have expired; nil when there is none. It is called when the server refuses
    ///     a download with status 400, 401, 403, 404 or 410; before the first byte only once, until the transfer is resumed.
    public convenience init(
        client: BackendClient, queue: BackendQueue, journal: any TransferJournal, digests: [ContentDigest] = [.sha512, .sha256],
        retryPolicy: TransferRetryPolicy = TransferRetryPolicy(), clock: some Clock<Duration> = ContinuousClock(),
        headers: nonisolated(nonsending) @escaping @Sendable (URL) async throws -> HTTPFields = { _ in [:] },
        refreshURL: nonisolated(nonsending) @escaping @Sendable (FileTransfer) async throws -> URL? = { _ in nil }
    ) {
        self.init(
            client: client, queue: queue, journal: journal, digests: digests, retryPolicy: retryPolicy, clock: clock, headers: headers,
            refreshURL: refreshURL, random: SystemRandomNumberGenerator(), bootID: BootIdentity.current, now: { Date() },
            availableCapacity: RandomAccessFile.availableCapacity)
    }

    /// Creates the transfers of a journal with a given source of ids, dates and disk space.
    ///
    /// - Parameters:
    ///   - random: The source of ids and jitter.
    ///   - bootID: The id of the current boot of the machine; see `TransferRecord.bootID`.
    ///   - now: Returns the current date, for the records.
    ///   - availableCapacity: Returns the free space for a folder, in bytes.
    package init(
        client: BackendClient, queue: BackendQueue, journal: any TransferJournal, digests: [ContentDigest],
        retryPolicy: TransferRetryPolicy, clock: some Clock<Duration>, headers: @escaping @Sendable (URL) async throws -> HTTPFields,
        refreshURL: @escaping @Sendable (FileTransfer) async throws -> URL?, random: some RandomNumberGenerator & Sendable, bootID: String?,
        now: @escaping @Sendable () -> Date, availableCapacity: @escaping @Sendable (URL) -> Int?
    ) {
        state = Mutex(State(random: random))
        context = TransferContext(
            client: client, journal: journal, digests: digests, bootID: bootID, startStopwatch: { Stopwatch(clock) }, headers: headers,
            availableCapacity: availableCapacity
        )
        owner = JournalOwner(journal)
        self.queue = queue
        self.retryPolicy = retryPolicy
        self.refreshURL = refreshURL
        self.now = now
    }
}

// MARK: - Starting and stopping

extension FileTransfers {
    /// Starts a download.
    ///
    /// - Parameters:
    ///   - file: The path of the complete file; until then its part file is next to it.
    ///   - replacing: Whether an existing file may be replaced.
    ///   - digest: The digest of the file, if known beforehand; a file with another one is not published.
    /// - Throws: `TransferError.targetExists` when there is a file and `replacing` is false, `.unsupportedDigest`, and `.journalInUse` when another
    ///   `FileTransfers` owns the journal; the errors of the journal. Other failures are those of the transfer: see `completion(of:)`.
    @discardableResult
    public nonisolated(nonsending) func download(_ url: URL, to file: URL, replacing: Bool = false, digest: FileDigest? = nil) async throws
        -> TransferID
    {
        var record = TransferRecord(id: makeID(), direction: .download, remote: url, file: file, replacesTarget: replacing, created: now())
        record.knownDigest = digest
        try context.checkSupport(of: digest)
        try PartFile(of: file, id: record.id).checkTarget(replacing: replacing)
        return try await begin(record)
    }

    /// Starts an upload, in parts if the server supports resumable uploads, otherwise in one request.
    ///
    /// A source that cannot be read is a failure of the transfer: see `completion(of:)`.
    ///
    /// - Throws: `TransferError.journalInUse` when another `FileTransfers` owns the journal, and the errors of the journal.
    @discardableResult
    public nonisolated(nonsending) func upload(_ file: URL, to url: URL) async throws -> TransferID {
        let record = TransferRecord(id: makeID(), direction: .upload, remote: url, file: file, created: now())
        return try await begin(record)
    }

    /// Restores the transfers of the journal and starts those that were pending or running.
    ///
    /// - Parameter only: The transfers to start; nil for all. The others can be resumed.
    /// - Throws: `TransferError.journalInUse` when another `FileTransfers` owns the journal, and the errors of the journal.
    public nonisolated(nonsending) func restore(only: Set<TransferID>? = nil) async throws {
        try owner.acquire()
        let records = try await context.journal.records()
        let ended = records.filter(\.status.isFinal)
        let surplus = Set(ended.prefix(max(0, ended.count - Self.historyLimit)).map(\.id))
        for id in surplus { try await context.journal.remove(id) }
        for record in records where !surplus.contains(record.id) {
            let transfer = startTask(for: record)
            let shouldStart = record.status == .pending || record.status == .running
            if shouldStart, only?.contains(record.id) ?? true { await transfer?.send(.start) }
        }
    }

    /// Runs the commands of other programs in the journal, until its task is cancelled or `shutDown` is called.
    ///
    /// A command is removed from the journal once it was performed. After an error of the journal the transfers continue, and another call runs the
    /// remaining commands.
    ///
    /// - Throws: `TransferError.journalInUse` when another `FileTransfers` owns the journal, the errors of the journal, and `CancellationError`.
    public nonisolated(nonsending) func runQueuedCommands() async throws {
        try owner.acquire()
        while !Task.isCancelled, let commandTask = startQueuedCommands() {
            try await commandTask.value
            try await context.startStopwatch().sleep(Self.commandPollInterval)
        }
    }

    /// Stops all attempts and releases the journal. Unfinished transfers stay in it and start again with the next `restore`.
    ///
    /// Cancelling the task does not end this early. Commands to transfers that are sent meanwhile or later have no effect; queued commands of other
    /// programs wait for the next owner. At the end it waits up to 2 s for servers to remove cancelled uploads.
    public nonisolated(nonsending) func shutDown() async {
        // In a cancelled task waits end at once, and another process could own the journal while attempts still write to it.
        await Task { await stop() }.value
    }

    private func stop() async {
        let (all, commandTask) = state.withLock { state in
            state.isClosed = true
            return (Array(state.tasks.values), state.commandTask)
        }
        await withDiscardingTaskGroup { group in
            for transfer in all { group.addTask { await transfer.close() } }
        }
        _ = await commandTask?.result
        owner.release()
        await context.uploadRemovals.finish(within: Self.removalTimeLimit, on: context.startStopwatch())
    }

    private func makeID() -> TransferID {
        state.withLock { state in
            while true {
                let id = TransferID(using: &state.random)
                if state.trackers[id] == nil { return id }
            }
        }
    }

    private func begin(_ record: TransferRecord) async throws -> TransferID {
        try owner.acquire()
        try await context.journal.save(record)
        await startTask(for: record)?.send(.start)
        return record.id
    }

    /// Adds a transfer and starts its task; nil when it is known or has ended, and after `shutDown`.
    private func startTask(for record: TransferRecord) -> TransferTask? {
        let tracker = TransferTracker(record, journal: context.journal)
        let task = record.status.isFinal ? nil : TransferTask(tracker, context, queue: queue, refreshURL: refreshURL)
        guard state.withLock({ $0.add(tracker, task, of: record.id) }) else { return nil }
        listObservers.send(())
        guard let task else { return nil }
        // The closures retain the owner of the journal until the transfer has ended or is closed.
        task.start(
            retryPolicy: retryPolicy, jitter: { [self] in state.withLock { Double.random(in: 0..<1, using: &$0.random) } },
            onEnd: { [self] in await end(record.id) })
        return task
    }

    private func end(_ id: TransferID) async {
        let surplus = state.withLock { $0.end(id) }
        if !surplus.isEmpty { listObservers.send(()) }
        // The next `restore` removes a record that cannot be removed now.
        for id in surplus { try? await context.journal.remove(id) }
        // Not before, because a shutdown waits for the tasks.
        state.withLock { _ = $0.tasks.removeValue(forKey: id) }
    }
}

// MARK: - Queued commands

extension FileTransfers {
    /// Starts to perform the commands in the journal; nil after `shutDown`, which waits for the end of the task.
    ///
    /// It is a task of its own because a performed command must be removed from the journal even if its caller is cancelled.
    private func startQueuedCommands() -> Task<Void, any Error>? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let task = Task { [self, previous = state.commandTask] in
                _ = await previous?.result
                try await performQueuedCommands()
            }
            state.commandTask = task
            return task
        }
    }

    /// The error that leaves a command in the journal during a shutdown.
    private struct CommandNotAccepted: Error {}

    private func performQueuedCommands() async throws {
        do {
            try await context.journal.performCommands { command in
                guard try await perform(command) else { throw CommandNotAccepted() }
            }
        } catch is CommandNotAccepted {}
    }

    /// Performs a command of another program; does nothing for a transfer that is unknown or has ended.
    ///
    /// - Returns: Whether it was accepted; false during a shutdown.
    /// - Throws: The error of the journal, if it could not be read, or the effect could not be written to it.
    private func perform(_ command: TransferCommand) async throws -> Bool {
        if tracker(of: command.id) == nil, let record = try await context.journal.record(of: command.id), !record.status.isFinal {
            _ = startTask(for: record)
        }
        let (task, isClosed) = state.withLock { ($0.tasks[command.id], $0.isClosed) }
        guard let task else { return !isClosed }
        guard await perform(command, on: task) else { return false }
        if let error = task.tracker.journalError { throw error }
        return true
    }

    private func perform(_ command: TransferCommand, on task: TransferTask) async -> Bool {
        switch command.kind {
        case .resume: return await task.resume(at: command.url)
        case .pause: return await task.send(.pause)
        case .cancel: return await task.send(.cancel)
        case .replaceTarget, .retainTarget: return await task.setReplacesTarget(command.kind == .replaceTarget)
        }
    }
}

// MARK: - Single transfers

extension FileTransfers {
    /// All transfers, oldest first.
    public var all: [FileTransfer] {
        state.withLock { state in state.order.compactMap { state.trackers[$0]?.transfer } }
    }

    /// Returns a new sequence that yields at once, and whenever transfers were added to `all` or removed from it, also by commands of other programs.
    ///
    /// ```swift
    /// for await _ in transfers.changes() { rows = transfers.all }
    /// ```
    ///
    /// The state of each transfer is in `updates(of:)`. A slow reader receives several changes as one. The sequence ends when its task is cancelled or
    /// the `FileTransfers` is deallocated.
    public func changes() -> AsyncStream<Void> {
        listObservers.add(bufferingPolicy: .bufferingNewest(1), first: ())
    }

    /// The current state of a transfer; nil when it is unknown here.
    public subscript(id: TransferID) -> FileTransfer? {
        tracker(of: id)?.transfer
    }

    /// Returns a new sequence of the state of a transfer: the current one, then each change.
    ///
    /// A slow reader misses intermediate states, never the newest. The sequence ends when the transfer is finished or cancelled, or with `shutDown`.
    public func updates(of id: TransferID) -> AsyncStream<FileTransfer> {
        tracker(of: id)?.updates() ?? AsyncStream { $0.finish() }
    }

    /// Returns the progress of a transfer in bytes, which finishes when the transfer is finished or cancelled, or with `shutDown`.
    ///
    /// The progress of an unknown transfer is finished.
    public func progress(of id: TransferID) -> OperationProgress {
        if let tracker = tracker(of: id) { return tracker.progress }
        let progress = OperationProgress()
        progress.finishUnlessOfOperation(isComplete: false)
        return progress
    }

    /// Pauses a transfer. If the server does not support resuming, it starts over when it is resumed: see `FileTransfer.isResumable`.
    ///
    /// - Throws: `TransferError.unknownTransfer`.
    public nonisolated(nonsending) func pause(_ id: TransferID) async throws {
        try await task(for: id)?.send(.pause)
    }

    /// Resumes a transfer that is paused, waiting or failed.
    ///
    /// - Parameter url: The new URL of the file when the former one has expired. An upload starts over there.
    /// - Throws: `TransferError.unknownTransfer`.
    public nonisolated(nonsending) func resume(_ id: TransferID, at url: URL? = nil) async throws {
        try await task(for: id)?.resume(at: url)
    }

    /// Cancels a transfer, removes its data on disk, and requests that the server remove it, without waiting for the response.
    ///
    /// - Throws: `TransferError.unknownTransfer`.
    public nonisolated(nonsending) func cancel(_ id: TransferID) async throws {
        try await task(for: id)?.send(.cancel)
    }

    /// Waits until a transfer is finished and returns it.
    ///
    /// - Throws: The error of a failed transfer: `TransferError`, `BackendError`, or that of the journal; `CancellationError` when it was cancelled,
    ///   paused, released by `shutDown`, or when its queue has cancelled the attempt; `TransferError.unknownTransfer`.
    public nonisolated(nonsending) func completion(of id: TransferID) async throws -> FileTransfer {
        guard let tracker = tracker(of: id) else { throw TransferError.unknownTransfer(id) }
        for await transfer in tracker.updates() {
            switch transfer.status {
            case .finished: return transfer
            case .failed: throw transfer.error ?? TransferError.failedBefore(transfer.reason ?? "the transfer failed")
            case .paused, .cancelled: throw CancellationError()
            case .pending where transfer.isInterrupted: throw CancellationError()
            case .pending, .running: continue
            }
        }
        throw CancellationError()
    }

    private func tracker(of id: TransferID) -> TransferTracker? { state.withLock { $0.trackers[id] } }

    /// Returns the task of a transfer; nil if it has ended.
    private func task(for id: TransferID) throws -> TransferTask? {
        let (task, isKnown) = state.withLock { ($0.tasks[id], $0.trackers[id] != nil) }
        guard isKnown else { throw TransferError.unknownTransfer(id) }
        return task
    }
}
