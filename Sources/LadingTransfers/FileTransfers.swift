import FileAccess
public import Foundation
public import HTTPTypes
public import LadingHTTP
public import LadingOperations
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
public final class FileTransfers: Sendable {
    /// The maximum number of finished and cancelled transfers in the journal.
    package static let historyLimit = 200
    /// The interval at which the journal is polled for commands of other programs.
    package static let commandPollInterval = Duration.milliseconds(250)

    private struct State {
        var tasks: [TransferID: TransferTask] = [:]
        var order: [TransferID] = []
        var random: any RandomNumberGenerator & Sendable
        var isClosed = false
    }

    private let state: Mutex<State>
    let context: TransferContext
    private let owner: JournalOwner
    private let queue: BackendQueue
    private let retryPolicy: TransferRetryPolicy
    private let refreshURL: @Sendable (FileTransfer) async throws -> URL?
    private let now: @Sendable () -> Date

    /// Creates the transfers of a journal.
    ///
    /// - Parameters:
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
            refreshURL: refreshURL,
            random: SystemRandomNumberGenerator(), bootID: BootIdentity.current, now: { Date() },
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
        for record in ended.prefix(max(0, ended.count - Self.historyLimit)) { try await context.journal.remove(record.id) }
        for record in records {
            let transfer = startTask(for: record)
            let shouldStart = record.status == .pending || record.status == .running
            if shouldStart, only?.contains(record.id) ?? true { await transfer?.send(.start) }
        }
    }

    /// Runs the commands of other programs in the journal, until its task is cancelled or `shutDown` is called.
    ///
    /// - Throws: `TransferError.journalInUse` when another `FileTransfers` owns the journal, the errors of the journal, and `CancellationError`.
    public nonisolated(nonsending) func runQueuedCommands() async throws {
        try owner.acquire()
        // Commands during a shutdown are for the next owner.
        while !Task.isCancelled, !state.withLock({ $0.isClosed }) {
            for command in try await context.journal.consumeCommands() { try? await perform(command) }
            try await context.startStopwatch().sleep(Self.commandPollInterval)
        }
    }

    /// Stops all attempts and releases the journal. Unfinished transfers stay in it and start again with the next `restore`.
    ///
    /// Cancelling the task does not end this early. Commands to transfers that are sent meanwhile or later have no effect; queued commands of other
    /// programs wait for the next owner.
    public nonisolated(nonsending) func shutDown() async {
        // In a cancelled task waits end at once, and another process could own the journal while attempts still write to it.
        await Task { await stop() }.value
    }

    private func stop() async {
        let all = state.withLock { state in
            state.isClosed = true
            return Array(state.tasks.values)
        }
        await withDiscardingTaskGroup { group in
            for transfer in all { group.addTask { await transfer.close() } }
        }
        owner.release()
    }

    private func makeID() -> TransferID {
        state.withLock { state in
            while true {
                let id = TransferID(using: &state.random)
                if state.tasks[id] == nil { return id }
            }
        }
    }

    private func begin(_ record: TransferRecord) async throws -> TransferID {
        try owner.acquire()
        try await context.journal.save(record)
        await startTask(for: record)?.send(.start)
        return record.id
    }

    /// Adds a transfer and starts its task; nil when it has one already, or after `shutDown`.
    private func startTask(for record: TransferRecord) -> TransferTask? {
        let tracker = TransferTracker(record, journal: context.journal)
        let transfer = TransferTask(tracker, context, queue: queue, refreshURL: refreshURL)
        let isAdded = state.withLock { state in
            guard !state.isClosed, state.tasks[record.id] == nil else { return false }
            state.tasks[record.id] = transfer
            state.order.append(record.id)
            return true
        }
        guard isAdded else { return nil }
        transfer.start(retryPolicy: retryPolicy) { [self] in state.withLock { Double.random(in: 0..<1, using: &$0.random) } }
        return transfer
    }

    private func perform(_ command: TransferCommand) async throws {
        if state.withLock({ $0.tasks[command.id] == nil }), let record = try await context.journal.record(of: command.id) {
            _ = startTask(for: record)
        }
        switch command.kind {
        case .resume: try await resume(command.id, at: command.url)
        case .pause: try await pause(command.id)
        case .cancel: try await cancel(command.id)
        case .replaceTarget: try task(for: command.id).tracker.setReplacesTarget(true)
        case .retainTarget: try task(for: command.id).tracker.setReplacesTarget(false)
        }
    }
}

// MARK: - Single transfers

extension FileTransfers {
    /// All transfers, oldest first.
    public var all: [FileTransfer] {
        state.withLock { state in state.order.compactMap { state.tasks[$0]?.tracker.transfer } }
    }

    /// The current state of a transfer; nil when it is unknown here.
    public subscript(id: TransferID) -> FileTransfer? {
        state.withLock { $0.tasks[id] }?.tracker.transfer
    }

    /// Returns a new sequence of the state of a transfer: the current one, then each change.
    ///
    /// A slow reader misses intermediate states, never the newest. The sequence ends when the transfer is finished or cancelled, or with `shutDown`.
    public func updates(of id: TransferID) -> AsyncStream<FileTransfer> {
        state.withLock { $0.tasks[id] }?.tracker.updates() ?? AsyncStream { $0.finish() }
    }

    /// Returns the progress of a transfer in bytes, which finishes when the transfer is finished or cancelled, or with `shutDown`.
    ///
    /// The progress of an unknown transfer is finished.
    public func progress(of id: TransferID) -> OperationProgress {
        if let transfer = state.withLock({ $0.tasks[id] }) { return transfer.tracker.progress }
        let progress = OperationProgress()
        progress.finishUnlessOfOperation(isComplete: false)
        return progress
    }

    /// Pauses a transfer. If the server does not support resuming, it starts over when it is resumed: see `FileTransfer.isResumable`.
    ///
    /// - Throws: `TransferError.unknownTransfer`.
    public nonisolated(nonsending) func pause(_ id: TransferID) async throws {
        try await task(for: id).send(.pause)
    }

    /// Resumes a transfer that is paused, waiting or failed.
    ///
    /// - Parameter url: The new URL of the file when the former one has expired. An upload starts over there.
    /// - Throws: `TransferError.unknownTransfer`.
    public nonisolated(nonsending) func resume(_ id: TransferID, at url: URL? = nil) async throws {
        try await task(for: id).resume(at: url)
    }

    /// Cancels a transfer, and removes its data on disk and at the server.
    ///
    /// - Throws: `TransferError.unknownTransfer`.
    public nonisolated(nonsending) func cancel(_ id: TransferID) async throws {
        try await task(for: id).send(.cancel)
    }

    /// Waits until a transfer is finished and returns it.
    ///
    /// - Throws: The error of a failed transfer: `TransferError`, `BackendError`, or that of the journal; `CancellationError` when it was cancelled,
    ///   paused, released by `shutDown`, or when its queue has cancelled the attempt; `TransferError.unknownTransfer`.
    public nonisolated(nonsending) func completion(of id: TransferID) async throws -> FileTransfer {
        for await transfer in try task(for: id).tracker.updates() {
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

    private func task(for id: TransferID) throws -> TransferTask {
        guard let transfer = state.withLock({ $0.tasks[id] }) else { throw TransferError.unknownTransfer(id) }
        return transfer
    }
}
