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
/// `restore`, `download`, `upload` and `attend` throw `TransferError.journalInUse`; it can send the owner a command with `TransferJournal.post(_:)`.
public final class FileTransfers: Sendable {
    /// How many transfers that have ended are remembered.
    public static let historyLimit = 200
    /// How often the journal is looked at for the wishes of other programs.
    public static let wishInterval = Duration.milliseconds(250)

    private struct State {
        var carried: [TransferID: CarriedTransfer] = [:]
        var order: [TransferID] = []
        var random: any RandomNumberGenerator & Sendable
        var isClosed = false
    }

    private let state: Mutex<State>
    private let tools: TransferTools
    private let owner: JournalOwner
    private let queue: BackendQueue
    private let patience: TransferPatience
    private let renew: @Sendable (FileTransfer) async throws -> URL?
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
        patience: TransferPatience = TransferPatience(), clock: some Clock<Duration> = ContinuousClock(),
        fields: nonisolated(nonsending) @escaping @Sendable (URL) async throws -> HTTPFields = { _ in [:] },
        renew: nonisolated(nonsending) @escaping @Sendable (FileTransfer) async throws -> URL? = { _ in nil }
    ) {
        self.init(
            client: client, queue: queue, journal: journal, digests: digests, patience: patience, clock: clock, fields: fields,
            renew: renew,
            random: SystemRandomNumberGenerator(), boot: BootIdentity.current, now: { Date() }, room: FileBytes.room)
    }

    /// - Parameters:
    ///   - random: Draws ids, and how much of the longest wait is waited.
    ///   - boot: Tells one start of the machine from the next; see `TransferRecord.boot`.
    ///   - now: The time of day, for the records.
    ///   - room: How many bytes a folder has room for.
    package init(
        client: BackendClient, queue: BackendQueue, journal: any TransferJournal, digests: [ContentDigest],
        patience: TransferPatience, clock: some Clock<Duration>, fields: @escaping @Sendable (URL) async throws -> HTTPFields,
        renew: @escaping @Sendable (FileTransfer) async throws -> URL?, random: some RandomNumberGenerator & Sendable, boot: String?,
        now: @escaping @Sendable () -> Date, room: @escaping @Sendable (URL) -> Int?
    ) {
        state = Mutex(State(random: random))
        tools = TransferTools(
            client: client, journal: journal, digests: digests, boot: boot, startStopwatch: { Stopwatch(clock) }, fields: fields, room: room
        )
        owner = JournalOwner(journal)
        self.queue = queue
        self.patience = patience
        self.renew = renew
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
        var record = TransferRecord(id: makeID(), direction: .download, remote: url, file: file, replaces: replacing, created: now())
        record.knownDigest = digest
        try tools.checkSupport(of: digest)
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
        let records = try await tools.journal.records()
        let ended = records.filter(\.status.isFinal)
        for record in ended.prefix(max(0, ended.count - Self.historyLimit)) { try await tools.journal.remove(record.id) }
        for record in records {
            let transfer = take(record)
            let isWanted = record.status == .pending || record.status == .running
            if isWanted, only?.contains(record.id) ?? true { await transfer?.send(.begin) }
        }
    }

    /// Does what other programs wish through the journal, until its task is cancelled or `shutdown` is called.
    ///
    /// - Throws: `TransferError.journalInUse` when another `FileTransfers` owns the journal, and what the journal throws.
    public nonisolated(nonsending) func attend() async throws {
        try owner.acquire()
        while !Task.isCancelled, !owner.isReleased {
            for wish in try await tools.journal.takeWishes() { try? await grant(wish) }
            try await tools.startStopwatch().sleep(Self.wishInterval)
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
            return Array(state.carried.values)
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
                if state.carried[id] == nil { return id }
            }
        }
    }

    private func begin(_ record: TransferRecord) async throws -> TransferID {
        try owner.acquire()
        try await tools.journal.save(record)
        await take(record)?.send(.begin)
        return record.id
    }

    /// Carries a transfer from now on; nil when it is carried already, or nothing is any more.
    private func take(_ record: TransferRecord) -> CarriedTransfer? {
        let ledger = TransferLedger(record, journal: tools.journal)
        let transfer = CarriedTransfer(ledger, tools, queue: queue, renew: renew)
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.carried[record.id] == nil else { return false }
            state.carried[record.id] = transfer
            state.order.append(record.id)
            return true
        }
        guard isTaken else { return nil }
        transfer.open(patience: patience) { [self] in state.withLock { Double.random(in: 0..<1, using: &$0.random) } }
        return transfer
    }

    private func grant(_ wish: TransferWish) async throws {
        if state.withLock({ $0.carried[wish.id] == nil }), let record = try await tools.journal.record(of: wish.id) { _ = take(record) }
        switch wish.kind {
        case .resume: try await resume(wish.id, at: wish.url)
        case .pause: try await pause(wish.id)
        case .cancel: try await cancel(wish.id)
        case .replace: try carried(wish.id).ledger.replace(true)
        case .keep: try carried(wish.id).ledger.replace(false)
        }
    }
}

// MARK: - By id

extension FileTransfers {
    /// All transfers, oldest first.
    public var all: [FileTransfer] {
        state.withLock { state in state.order.compactMap { state.carried[$0]?.ledger.transfer } }
    }

    /// A transfer as it is now; nil when it is not carried here.
    public subscript(id: TransferID) -> FileTransfer? {
        state.withLock { $0.carried[id] }?.ledger.transfer
    }

    /// The transfer as it is, and then whenever it has changed; each call gives a sequence of its own.
    ///
    /// A reader that is slow misses steps, never the newest. The sequence ends when the transfer is finished or cancelled, or with `shutdown`.
    public func updates(of id: TransferID) -> AsyncStream<FileTransfer> {
        state.withLock { $0.carried[id] }?.ledger.updates() ?? AsyncStream { $0.finish() }
    }

    /// Stops a transfer until it is resumed. What the server does not let go on from the middle will begin again then: see `FileTransfer.isResumable`.
    ///
    /// - Throws: `TransferError.unknown`.
    public nonisolated(nonsending) func pause(_ id: TransferID) async throws {
        try await carried(id).send(.pause)
    }

    /// Lets a transfer that is paused, waits or has failed go on.
    ///
    /// - Parameter url: Where the same file is to be had, or to go, when the former URL has expired. An upload begins anew there.
    /// - Throws: `TransferError.unknown`.
    public nonisolated(nonsending) func resume(_ id: TransferID, at url: URL? = nil) async throws {
        try await carried(id).resume(at: url)
    }

    /// Ends a transfer for good, and removes what it has left on disk and at the server.
    ///
    /// - Throws: `TransferError.unknown`.
    public nonisolated(nonsending) func cancel(_ id: TransferID) async throws {
        try await carried(id).send(.cancel)
    }

    /// Waits until a transfer is finished, and gives it.
    ///
    /// - Throws: Why it failed; `CancellationError` when it was cancelled, paused, or left to another program.
    public nonisolated(nonsending) func finish(of id: TransferID) async throws -> FileTransfer {
        for await transfer in try carried(id).ledger.updates() {
            switch transfer.status {
            case .finished: return transfer
            case .failed: throw transfer.error ?? TransferError.failedBefore(transfer.reason ?? "the transfer failed")
            case .paused, .cancelled: throw CancellationError()
            case .pending, .running: continue
            }
        }
        throw CancellationError()
    }

    private func carried(_ id: TransferID) throws -> CarriedTransfer {
        guard let transfer = state.withLock({ $0.carried[id] }) else { throw TransferError.unknown(id) }
        return transfer
    }
}
