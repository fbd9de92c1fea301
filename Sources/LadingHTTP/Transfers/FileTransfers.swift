public import Foundation
public import HTTPTypes
public import LadingOperations
import Synchronization

/// Carries downloads to files and uploads of files: each has an id by which anyone can watch, pause, resume and cancel it.
///
/// ```swift
/// let transfers = FileTransfers(client: client, queue: queue, journal: journal)
/// try await transfers.restore()
/// let id = try await transfers.download(url, to: file)
/// for await transfer in transfers.updates(of: id) { print(transfer.status, transfer.completed) }
/// ```
///
/// What a transfer has come to is in the journal, so that it goes on in the next process from what was safely on disk, or with the server.
///
/// A journal has one owner: the `FileTransfers` that used it first, in whichever process, until its `shutdown()` or the end of its process. To any other
/// `restore`, `download`, `upload` and `runQueuedCommands` throw `TransferError.journalInUse`; it can send the owner a command with `TransferJournal.post(_:)`.
public final class FileTransfers: Sendable {
    /// How many transfers that have ended are remembered.
    public static let historyLimit = 200
    /// How often the journal is looked at for the wishes of other programs.
    public static let commandPollInterval = Duration.milliseconds(250)

    private struct State {
        var tasks: [TransferID: TransferTask] = [:]
        var order: [TransferID] = []
        var random: any RandomNumberGenerator & Sendable
        var isClosed = false
    }

    private let state: Mutex<State>
    private let context: TransferContext
    private let owner: JournalOwner
    private let queue: BackendQueue
    private let retryPolicy: TransferRetryPolicy
    private let refreshURL: @Sendable (FileTransfer) async throws -> URL?
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - queue: Attempts run in it, as background work in a lane for the transfers of their server.
    ///   - digests: Those that can be computed: what a server says in `Repr-Digest` or `Content-Digest` is checked with the first of them.
    ///   - patience: How long is waited before an attempt after one that failed, and when a transfer is given up.
    ///   - clock: What waits and the pace of an attempt are measured by.
    ///   - fields: What each request to a URL carries, credentials for instance. It is asked anew for each; nothing of it is kept.
    ///   - renew: Gives another URL of the same file when one has expired; nil when there is none.
    public convenience init(
        client: BackendClient, queue: BackendQueue, journal: any TransferJournal, digests: [ContentDigest] = [.sha512, .sha256],
        retryPolicy: TransferRetryPolicy = TransferRetryPolicy(), clock: some Clock<Duration> = ContinuousClock(),
        headers: nonisolated(nonsending) @escaping @Sendable (URL) async throws -> HTTPFields = { _ in [:] },
        refreshURL: nonisolated(nonsending) @escaping @Sendable (FileTransfer) async throws -> URL? = { _ in nil }
    ) {
        self.init(
            client: client, queue: queue, journal: journal, digests: digests, retryPolicy: retryPolicy, clock: clock, headers: headers,
            refreshURL: refreshURL,
            random: SystemRandomNumberGenerator(), bootID: BootIdentity.current, now: { Date() }, availableCapacity: RandomAccessFile.availableCapacity)
    }

    /// - Parameters:
    ///   - random: Draws ids, and how much of the longest wait is waited.
    ///   - boot: Tells one start of the machine from the next; see `TransferRecord.boot`.
    ///   - now: The time of day, for the records.
    ///   - room: How many bytes a folder has room for.
    package init(
        client: BackendClient, queue: BackendQueue, journal: any TransferJournal, digests: [ContentDigest],
        retryPolicy: TransferRetryPolicy, clock: some Clock<Duration>, headers: @escaping @Sendable (URL) async throws -> HTTPFields,
        refreshURL: @escaping @Sendable (FileTransfer) async throws -> URL?, random: some RandomNumberGenerator & Sendable, bootID: String?,
        now: @escaping @Sendable () -> Date, availableCapacity: @escaping @Sendable (URL) -> Int?
    ) {
        state = Mutex(State(random: random))
        context = TransferContext(
            client: client, journal: journal, digests: digests, bootID: bootID, startStopwatch: { Stopwatch(clock) }, headers: headers, availableCapacity: availableCapacity
        )
        owner = JournalOwner(journal)
        self.queue = queue
        self.retryPolicy = retryPolicy
        self.refreshURL = refreshURL
        self.now = now
    }
}

// MARK: - Beginning

extension FileTransfers {
    /// Begins a download.
    ///
    /// - Parameters:
    ///   - file: Where the file will be once it is whole; until then its parts lie beside it.
    ///   - replacing: Whether a file that is there already may be replaced.
    ///   - digest: The digest of the file where it is known beforehand; a file with any other does not get its name.
    /// - Throws: `TransferError` when the file cannot come about, or another `FileTransfers` owns the journal; what the journal throws.
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

    /// Begins an upload; where the server takes resumable uploads it goes in parts, otherwise in one piece.
    ///
    /// - Throws: `TransferError` when the file cannot be read, or another `FileTransfers` owns the journal; what the journal throws.
    @discardableResult
    public nonisolated(nonsending) func upload(_ file: URL, to url: URL) async throws -> TransferID {
        let record = TransferRecord(id: makeID(), direction: .upload, remote: url, file: file, created: now())
        return try await begin(record)
    }

    /// Takes up what the journal tells: the transfers that were to go on go on.
    ///
    /// - Parameter only: Those that go on; nil means all. The others can be told to.
    /// - Throws: `TransferError.journalInUse` when another `FileTransfers` owns the journal, and what the journal throws.
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

    /// Does what other programs wish through the journal, until its task is cancelled or `shutdown` is called.
    ///
    /// - Throws: `TransferError.journalInUse` when another `FileTransfers` owns the journal, and what the journal throws.
    public nonisolated(nonsending) func runQueuedCommands() async throws {
        try owner.acquire()
        while !Task.isCancelled, !owner.isReleased {
            for command in try await context.journal.consumeCommands() { try? await perform(command) }
            try await context.startStopwatch().sleep(Self.commandPollInterval)
        }
    }

    /// Stops all attempts and forgets nothing: what was to go on goes on after the next `restore`. Then another may own the journal.
    ///
    /// Does not end early when the task is cancelled.
    public nonisolated(nonsending) func shutdown() async {
        // Waits end at once in a cancelled task, and another process would own the journal while attempts still write to it.
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

    /// Carries a transfer from now on; nil when it is carried already, or nothing is any more.
    private func startTask(for record: TransferRecord) -> TransferTask? {
        let ledger = TransferTracker(record, journal: context.journal)
        let transfer = TransferTask(ledger, context, queue: queue, refreshURL: refreshURL)
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
        if state.withLock({ $0.tasks[command.id] == nil }), let record = try await context.journal.record(of: command.id) { _ = startTask(for: record) }
        switch command.kind {
        case .resume: try await resume(command.id, at: command.url)
        case .pause: try await pause(command.id)
        case .cancel: try await cancel(command.id)
        case .replaceTarget: try task(for: command.id).tracker.setReplacesTarget(true)
        case .preserveTarget: try task(for: command.id).tracker.setReplacesTarget(false)
        }
    }
}

// MARK: - By id

extension FileTransfers {
    /// All transfers, oldest first.
    public var all: [FileTransfer] {
        state.withLock { state in state.order.compactMap { state.tasks[$0]?.tracker.transfer } }
    }

    /// A transfer as it is now; nil when it is not carried here.
    public subscript(id: TransferID) -> FileTransfer? {
        state.withLock { $0.tasks[id] }?.tracker.transfer
    }

    /// The transfer as it is, and then whenever it has changed; each call gives a sequence of its own.
    ///
    /// A reader that is slow misses steps, never the newest. The sequence ends when the transfer is finished or cancelled, or with `shutdown`.
    public func updates(of id: TransferID) -> AsyncStream<FileTransfer> {
        state.withLock { $0.tasks[id] }?.tracker.updates() ?? AsyncStream { $0.finish() }
    }

    /// Stops a transfer until it is resumed. What the server does not let go on from the middle will begin again then: see `FileTransfer.isResumable`.
    ///
    /// - Throws: `TransferError.unknown`.
    public nonisolated(nonsending) func pause(_ id: TransferID) async throws {
        try await task(for: id).send(.pause)
    }

    /// Lets a transfer that is paused, waits or has failed go on.
    ///
    /// - Parameter url: Where the same file is to be had, or to go, when the former URL has expired. An upload begins anew there.
    /// - Throws: `TransferError.unknown`.
    public nonisolated(nonsending) func resume(_ id: TransferID, at url: URL? = nil) async throws {
        try await task(for: id).resume(at: url)
    }

    /// Ends a transfer for good, and removes what it has left on disk and at the server.
    ///
    /// - Throws: `TransferError.unknown`.
    public nonisolated(nonsending) func cancel(_ id: TransferID) async throws {
        try await task(for: id).send(.cancel)
    }

    /// Waits until a transfer is finished, and gives it.
    ///
    /// - Throws: Why it failed; `CancellationError` when it was cancelled, paused, or left to another program.
    public nonisolated(nonsending) func completion(of id: TransferID) async throws -> FileTransfer {
        for await transfer in try task(for: id).tracker.updates() {
            switch transfer.status {
            case .finished: return transfer
            case .failed: throw transfer.error ?? TransferError.failedBefore(transfer.reason ?? "the transfer failed")
            case .paused, .cancelled: throw CancellationError()
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
