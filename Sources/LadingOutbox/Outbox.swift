public import Foundation
public import LadingHTTP
public import LadingOperations
import Observers
import Synchronization
import TextComparison
import Timing

/// A persistent queue of writes, which reach their servers once and in order despite outages, failures and restarts.
///
/// ```swift
/// let outbox = try await Outbox(client: client, queue: queue, journal: journal, partition: user)
/// try await outbox.add(request, changing: "deliveries/7/favourite", at: Date(), supersedesPrevious: true)
/// await outbox.run()
/// ```
///
/// `add` returns once the write is in the journal. While `run` runs, one write at a time is sent to each host, in the order of insertion, with
/// its key as `Idempotency-Key`. A write about a subject with a pending write follows that one, also if its host is another. A write ends when
/// the server accepts it or refuses it permanently (`OutboxOutcome`); until then it is retried after growing delays. If the process is killed
/// between the response and the journal's update, the write is sent again with the same key, before any later one.
///
/// Writes of other partitions stay in the journal until their own outbox sends them. A partition has one outbox at a time, in all programs together,
/// also if it only adds writes: the journal is read once, so that an outbox neither sends nor orders the writes that another one adds later. The
/// outbox does not enforce this, a lock file can.
public final class Outbox: Sendable {
    /// The maximum number of unread events of an observer; beyond it the oldest are dropped.
    package static let eventLimit = 4_096

    typealias Effect = OutboxSchedule.Effect

    fileprivate struct State {
        var schedule: OutboxSchedule
        /// The number of entries that are being written to the journal.
        var reservedCount = 0
        /// The effects that `run` performs; nil while it does not run.
        var work: AsyncStream<Effect>.Continuation?
        /// Outcomes that were decided while `run` was ending.
        var pendingCompletions: [Effect] = []
        var effects: [Effect] = []
    }

    private let state: Mutex<State>
    private let observers = Observers<OutboxEvent>()
    private let partition: String
    let client: BackendClient
    let queue: BackendQueue
    let journal: any OutboxJournal
    let connectivity: any Connectivity
    let limits: OutboxLimits
    let stopwatch: Stopwatch
    let now: @Sendable () -> Date
    let resolveURL: @Sendable (URL) -> URL
    let jitter: @Sendable () -> Double
    private let makeKey: @Sendable () -> IdempotencyKey

    /// Creates an outbox with the contents of the journal, which it does not read again.
    ///
    /// - Parameters:
    ///   - queue: The queue that runs attempts, in the lanes of their hosts, after visible work.
    ///   - partition: The owner of the writes, such as a user.
    ///   - clock: The clock for delays.
    ///   - now: Returns the current date, for the age of entries.
    ///   - resolveURL: Returns the current URL of a write, for servers that move. It is called before each attempt.
    ///   - jitter: Returns a uniformly distributed number in 0..<1.
    ///   - makeKey: Returns a unique key.
    /// - Throws: The errors of the journal.
    public nonisolated(nonsending) init(
        client: BackendClient, queue: BackendQueue, journal: any OutboxJournal, partition: String = "",
        connectivity: any Connectivity = AlwaysConnected(), limits: OutboxLimits = OutboxLimits(),
        clock: some Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        resolveURL: @escaping @Sendable (URL) -> URL = { $0 },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        makeKey: @escaping @Sendable () -> IdempotencyKey = { .unique() }
    ) async throws {
        let contents = try await journal.contents(of: partition)
        let (stopwatch, time) = (Stopwatch(clock), now())
        var schedule = OutboxSchedule(limits, receipts: contents.receipts)
        var effects: [Effect] = []
        for entry in contents.entries {
            schedule.handle(.init(kind: .added(entry, age: entry.age(at: time)), time: .zero), effects: &effects)
        }
        state = Mutex(State(schedule: schedule))
        (self.client, self.queue, self.journal, self.partition) = (client, queue, journal, partition)
        (self.connectivity, self.limits, self.stopwatch) = (connectivity, limits, stopwatch)
        (self.now, self.resolveURL, self.jitter, self.makeKey) = (now, resolveURL, jitter, makeKey)
    }
}

// MARK: - Adding writes

extension Outbox {
    /// Adds a write. When this returns it is in the journal, and will be sent unless another write supersedes it.
    ///
    /// A known key changes nothing: the write is pending or has ended (`status(of:)`).
    ///
    /// - Parameters:
    ///   - subject: The entity that the write changes. Writes about one subject never overtake one another.
    ///   - actionDate: The client's timestamp of the user's action.
    ///   - key: The idempotency key; nil creates one.
    ///   - supersedesPrevious: Whether the write determines the whole state of the subject: earlier decisions that wait to be sent are dropped.
    ///     The write itself is dropped if a later decision is pending or was sent.
    /// - Returns: The key of the write.
    /// - Throws: `OutboxError` and the errors of the journal.
    @discardableResult
    public nonisolated(nonsending) func add(
        _ request: OutboxRequest, changing subject: String, at actionDate: Date, key: IdempotencyKey? = nil,
        supersedesPrevious: Bool = false
    ) async throws -> IdempotencyKey {
        let entry = OutboxEntry(
            id: key ?? makeKey(), partition: partition, subject: subject, request: request, actionDate: actionDate, added: now(),
            supersedesPrevious: supersedesPrevious)
        try check(request)
        if let known = status(of: entry.id) {
            try known.check(entry)
            return entry.id
        }
        try reserve()
        defer { state.withLock { $0.reservedCount -= 1 } }
        switch try await journal.add(entry) {
        case .inserted(let entry): handle(.added(entry, age: entry.age(at: now())))
        case .alreadyPending(let known):
            try OutboxStatus.sending(known).check(entry)
            handle(.added(known, age: known.age(at: now())))
        case .alreadyEnded(let receipt): try OutboxStatus.ended(receipt).check(entry)
        }
        return entry.id
    }

    private func check(_ request: OutboxRequest) throws(OutboxError) {
        if let secret = request.secretName { throw .containsSecret(secret) }
        guard request.size <= limits.requestSize else { throw .tooLarge(limit: limits.requestSize) }
    }

    /// Reserves capacity for an entry that is not in the journal yet.
    private func reserve() throws(OutboxError) {
        let isFull = state.withLock { state in
            guard state.schedule.count + state.reservedCount < limits.entries else { return true }
            state.reservedCount += 1
            return false
        }
        if isFull { throw .full(limit: limits.entries) }
    }
}

// MARK: - Entries and events

extension Outbox {
    /// The pending entries in the order of insertion.
    public var entries: [OutboxEntry] { state.withLock { $0.schedule.entries } }

    /// The latest receipts, at most `OutboxLimits.receipts`, oldest first.
    public var receipts: [OutboxReceipt] { state.withLock { $0.schedule.history.all } }

    /// Returns the status of a write; nil when it was never added or its receipt was evicted.
    public func status(of key: IdempotencyKey) -> OutboxStatus? { state.withLock { $0.schedule.status(of: key) } }

    /// Returns the pending entry that determines the final state of a subject; nil when none is pending.
    public func latestPending(about subject: String) -> OutboxEntry? { state.withLock { $0.schedule.latestPending(about: subject) } }

    /// Returns the receipt of the latest decision about a subject that the server accepted; nil when there is none.
    public func lastSent(about subject: String) -> OutboxReceipt? { state.withLock { $0.schedule.history.lastSent(about: subject) } }

    /// Returns a new sequence of the events from now on.
    ///
    /// An outcome is reported once it is in the journal. An observer with more than 4,096 unread events loses the oldest. The sequence ends when its
    /// task is cancelled or the outbox is deallocated.
    public func events() -> AsyncStream<OutboxEvent> {
        observers.add(bufferingPolicy: .bufferingNewest(Self.eventLimit))
    }

    /// Shortens all delays to their minimum, at a user's request or after the server was reached by other means.
    public func retry() { handle(.retryRequested) }
}

// MARK: - Sending

extension Outbox {
    /// Sends pending and new entries until its task is cancelled. Only one call may be running.
    ///
    /// An attempt in progress is interrupted then, and repeated with the same key by the next run.
    public nonisolated(nonsending) func run() async {
        // The stream is bounded by the effects in progress: one for each entry, and the timer.
        let (work, continuation) = AsyncStream<Effect>.makeStream()
        state.withLock { state in
            precondition(state.work == nil, "an outbox is already running: call run() again after it has returned")
            state.work = continuation
        }
        handle(.opened(isConnected: connectivity.state != .offline))
        var timer: Task<Void, Never>?
        await withDiscardingTaskGroup { group in
            group.addTask { await self.observeConnectivity() }
            for await effect in work {
                if case .scheduleTimer(let time) = effect {
                    timer?.cancel()
                    timer = Task { await self.wait(until: time) }
                } else {
                    group.addTask { await self.perform(effect) }
                }
            }
            group.cancelAll()
        }
        timer?.cancel()
        await close()
    }

    /// Closes the schedule and writes the outcomes that were decided while the work ended.
    private func close() async {
        handle(.closed)
        let completions = state.withLock { state in
            defer { state.pendingCompletions = [] }
            return state.pendingCompletions
        }
        for effect in completions { await perform(effect) }
        state.withLock { $0.work = nil }
    }

    /// Passes an event to the schedule, notifies the observers, and buffers the other effects for `run`.
    func handle(_ kind: OutboxSchedule.Kind) {
        let time = stopwatch.elapsed()
        state.withLock { state in
            state.schedule.handle(.init(kind: kind, time: time), effects: &state.effects)
            for effect in state.effects {
                if case .notify(let event) = effect { observers.append(event) } else { state.dispatch(effect) }
            }
            state.effects.removeAll(keepingCapacity: true)
        }
        observers.deliver()
    }
}

extension Outbox.State {
    fileprivate mutating func dispatch(_ effect: Outbox.Effect) {
        if case .complete = effect {
            guard let work, case .enqueued = work.yield(effect) else { return pendingCompletions.append(effect) }
        } else {
            work?.yield(effect)
        }
    }
}

extension OutboxEntry {
    /// Returns the time since the entry was added, at least zero: the clock may have been set back.
    fileprivate func age(at now: Date) -> Duration { .seconds(max(0, now.timeIntervalSince(added))) }
}

extension OutboxStatus {
    /// Checks that the entry is the known write with the same key.
    ///
    /// - Throws: `OutboxError.keyReused` when the key belongs to another write.
    fileprivate func check(_ entry: OutboxEntry) throws(OutboxError) {
        let (subject, fingerprint) =
            switch self {
            case .waiting(let known, _), .sending(let known): (known.subject, known.request.fingerprint)
            case .ended(let receipt): (receipt.subject, receipt.fingerprint)
            }
        guard subject.hasSameBytes(as: entry.subject), fingerprint == entry.request.fingerprint else { throw .keyReused(entry.id) }
    }
}

extension IdempotencyKey {
    /// Returns a new unique key.
    public static func unique() -> IdempotencyKey {
        guard let key = IdempotencyKey(rawValue: UUID().uuidString.lowercased()) else { preconditionFailure("a UUID is a valid key") }
        return key
    }
}
