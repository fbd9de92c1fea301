public import Foundation
public import LadingOperations
import Synchronization

/// Brings writes to their servers, each once and in order, whatever happens meanwhile: no network, failures, the end of the program.
///
/// ```swift
/// let outbox = try await Outbox(client: client, queue: queue, journal: journal, partition: user)
/// try await outbox.add(request, changing: "deliveries/7/favourite", at: Date(), supersedes: true)
/// await outbox.run()
/// ```
///
/// When `add` returns, the write is in the journal. While `run` runs, one write for each host is under way at a time, in the order in which they were added,
/// each with its key as `Idempotency-Key`. It ends when the server has taken it, or will not (`OutboxOutcome`); until then it is tried again, ever more
/// seldom. Between the reply and the journal a kill makes it be sent a second time, with the same key, and nothing behind it is sent before.
///
/// The writes of other partitions stay in the journal: they are sent by who may send them. See to it that one program at a time sends for a
/// partition, for instance by a lock file: this takes none.
public final class Outbox: Sendable {
    /// How many events a watcher may be behind; of one who is further behind the oldest are dropped.
    public static let eventLimit = 4_096

    typealias Effect = OutboxSchedule.Effect

    fileprivate struct State {
        var schedule: OutboxSchedule
        /// Entries that are being written to the journal.
        var reservedCount = 0
        /// Where `run` takes its work from; nil while it does not run.
        var work: AsyncStream<Effect>.Continuation?
        /// Ends that were decided while `run` was ending.
        var pendingCompletions: [Effect] = []
        var effects: [Effect] = []
        var lastObserverID = 0
        var observers: [Int: AsyncStream<OutboxEvent>.Continuation] = [:]
    }

    private let state: Mutex<State>
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

    /// Reads what the journal has.
    ///
    /// - Parameters:
    ///   - queue: Attempts run in it, in the lanes of their hosts, after what is in view.
    ///   - partition: Whose writes these are.
    ///   - clock: Measures pauses.
    ///   - now: The time of day, for the age of entries.
    ///   - address: Where a write for this URL goes today: for servers that move. It is asked before each attempt.
    ///   - luck: Draws a number evenly from 0..<1.
    ///   - makeKey: Makes a key that nobody else makes.
    /// - Throws: What the journal throws.
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

// MARK: - Adding

extension Outbox {
    /// Adds a write. When this returns it is in the journal, and will be sent unless something supersedes it.
    ///
    /// A key that is known changes nothing: the same write is there, or has ended (`standing(of:)`).
    ///
    /// - Parameters:
    ///   - subject: What it changes. Writes about one subject never overtake one another.
    ///   - action: When it was decided, by the clock where that was.
    ///   - key: What the server knows it by; nil makes one.
    ///   - supersedes: Whether it says all there is to say of the subject: those that were decided before and wait to be sent are dropped. When something
    ///     that was decided later is there, or was sent, it is dropped itself.
    /// - Returns: The key.
    /// - Throws: `OutboxError`, and what the journal throws.
    @discardableResult
    public nonisolated(nonsending) func add(
        _ request: OutboxRequest, changing subject: String, at actionDate: Date, key: IdempotencyKey? = nil, supersedesEarlier: Bool = false
    ) async throws -> IdempotencyKey {
        let entry = OutboxEntry(
            id: key ?? makeKey(), partition: partition, subject: subject, request: request, actionDate: actionDate, added: now(),
            supersedesEarlier: supersedesEarlier)
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

    /// Sets a place aside for an entry that is not in the journal yet.
    private func reserve() throws(OutboxError) {
        let isFull = state.withLock { state in
            guard state.schedule.count + state.reservedCount < limits.entries else { return true }
            state.reservedCount += 1
            return false
        }
        if isFull { throw .full(limit: limits.entries) }
    }
}

// MARK: - Looking

extension Outbox {
    /// What waits or is under way, in the order in which it was added.
    public var entries: [OutboxEntry] { state.withLock { $0.schedule.entries } }

    /// What ended last, oldest first.
    public var receipts: [OutboxReceipt] { state.withLock { $0.schedule.history.all } }

    /// What is known of a write; nil when it was never added, or ended too long ago.
    public func status(of key: IdempotencyKey) -> OutboxStatus? { state.withLock { $0.schedule.status(of: key) } }

    /// What will be said last of a subject once everything is sent; nil when nothing waits to be.
    public func latestPending(about subject: String) -> OutboxEntry? { state.withLock { $0.schedule.latestPending(about: subject) } }

    /// The last decision about a subject that the server has taken; nil when there was none, or it was too long ago.
    public func lastSent(about subject: String) -> OutboxReceipt? { state.withLock { $0.schedule.history.lastSent(about: subject) } }

    /// What happens from now on; each call gives a sequence of its own.
    ///
    /// An end is told when it is in the journal. A watcher who is more than `eventLimit` events behind misses the oldest.
    public func events() -> AsyncStream<OutboxEvent> {
        let (stream, watcher) = AsyncStream<OutboxEvent>.makeStream(bufferingPolicy: .bufferingNewest(Self.eventLimit))
        let id = state.withLock { state in
            state.lastObserverID += 1
            state.observers[state.lastObserverID] = watcher
            return state.lastObserverID
        }
        watcher.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.observers.removeValue(forKey: id) } }
        return stream
    }

    /// Ends pauses as soon as they may end: when somebody asks for it, or the server was reached by other means.
    public func retry() { handle(.retryRequested) }
}

// MARK: - Working

extension Outbox {
    /// Sends what is there and what is added, until its task is cancelled; it runs once at a time.
    ///
    /// An attempt that is under way then is broken off, and made again with the same key the next time.
    public nonisolated(nonsending) func run() async {
        // Of each entry one thing is to be done at a time, and of the alarm.
        let (work, continuation) = AsyncStream<Effect>.makeStream()
        state.withLock { state in
            precondition(state.work == nil, "an outbox runs once at a time")
            state.work = continuation
        }
        handle(.opened(isOnline: connectivity.state != .offline))
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

    /// Stops, and then writes down what was decided while the work ended.
    private func close() async {
        handle(.closed)
        let unsettled = state.withLock { state in
            defer { state.pendingCompletions = [] }
            return state.pendingCompletions
        }
        for effect in unsettled { await perform(effect) }
        state.withLock { $0.work = nil }
    }

    /// Tells the schedule, tells whoever watches, and leaves the rest to `run`.
    func handle(_ kind: OutboxSchedule.Kind) {
        let time = stopwatch.elapsed()
        state.withLock { state in
            state.schedule.handle(.init(kind: kind, time: time), effects: &state.effects)
            for effect in state.effects { state.dispatch(effect) }
            state.effects.removeAll(keepingCapacity: true)
        }
    }
}

extension Outbox.State {
    fileprivate mutating func dispatch(_ effect: Outbox.Effect) {
        if case .notify(let event) = effect {
            for watcher in observers.values { watcher.yield(event) }
        } else if case .complete = effect {
            guard let work, case .enqueued = work.yield(effect) else { return pendingCompletions.append(effect) }
        } else {
            work?.yield(effect)
        }
    }
}

extension OutboxEntry {
    /// How long ago it was added; a clock that was set back makes nothing younger than new.
    fileprivate func age(at now: Date) -> Duration { .seconds(max(0, now.timeIntervalSince(added))) }
}

extension OutboxStatus {
    /// - Throws: `OutboxError.keyReused` when this is another write with the same key.
    fileprivate func check(_ entry: OutboxEntry) throws(OutboxError) {
        let (subject, fingerprint) =
            switch self {
            case .waiting(let known, _), .sending(let known): (known.subject, known.request.fingerprint)
            case .ended(let receipt): (receipt.subject, receipt.fingerprint)
            }
        guard subject == entry.subject, fingerprint == entry.request.fingerprint else { throw .keyReused(entry.id) }
    }
}

extension IdempotencyKey {
    /// A key that was never made before.
    public static func unique() -> IdempotencyKey {
        guard let key = IdempotencyKey(rawValue: UUID().uuidString.lowercased()) else { preconditionFailure("a UUID is a key") }
        return key
    }
}
