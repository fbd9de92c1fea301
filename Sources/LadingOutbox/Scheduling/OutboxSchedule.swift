import Decisions
import Foundation
import LadingHTTP

/// The decisions of an outbox: which write is sent when, and its outcome.
///
/// | entry | event → next phase, effects |
/// |---|---|
/// | – | added → waiting, notify |
/// | waiting | first in its queue, and online → sending, send · superseded or expired → dropping, complete |
/// | sending | sent, refused → completing, complete · transient failure → waiting after a backoff, update · interrupted, closed → waiting |
/// | completing, dropping | completed → removed, notify · closed → waiting |
///
/// Each host has a queue, of which one entry is sent at a time, in order; a backoff after a failure applies to the whole queue. An entry that
/// the server has answered without accepting it `maximumBlockingAttempts` times backs off alone: entries about other subjects pass it, those
/// about its own wait. Nothing else overtakes: an entry about a subject of another one joins the queue of that one, whatever its host.
///
/// A rejection ends one entry; later entries about the same subject are still sent.
struct OutboxSchedule: Decision, Sendable {
    /// An event and its time, which is measured from the same start for all events.
    struct Event {
        let kind: Kind
        let time: Duration
    }

    enum Kind {
        /// Entries may be sent from now on.
        case opened(isConnected: Bool)
        /// Sending has stopped, and no attempt is in progress.
        case closed
        /// An entry of this age is in the journal.
        case added(OutboxEntry, age: Duration)
        case network(isConnected: Bool)
        case sent(IdempotencyKey, BackendResponse)
        /// The attempt has failed.
        ///
        /// - Parameter jitter: A uniformly distributed number in 0..<1.
        case failed(IdempotencyKey, any Error, jitter: Double)
        /// The attempt was interrupted by the client.
        case interrupted(IdempotencyKey)
        /// The outcome of an entry is in the journal.
        case completed(OutboxReceipt, OutboxOutcome)
        /// An early retry was requested.
        case retryRequested
        /// The scheduled timer has fired.
        case timerFired
    }

    enum Effect: Sendable {
        case send(OutboxEntry)
        /// Writes the outcome of an entry to the journal.
        case complete(OutboxEntry, OutboxOutcome)
        /// Writes a failed attempt to the journal.
        case update(OutboxEntry)
        /// Schedules a timer for this time, which replaces the previous one.
        case scheduleTimer(Duration)
        case notify(OutboxEvent)
    }

    private(set) var history: OutboxHistory
    private let limits: OutboxLimits
    private var queues: [String: OutboxHostQueue] = [:]
    private var hosts: [IdempotencyKey: String] = [:]
    private var isOpen = false
    private var isConnected = true
    private var timerDeadline: Duration?

    init(_ limits: OutboxLimits, receipts: [OutboxReceipt] = []) {
        self.limits = limits
        history = OutboxHistory(receipts, limit: limits.receipts)
    }

    var count: Int { hosts.count }

    /// The entries in the order of insertion.
    var entries: [OutboxEntry] {
        queues.values.flatMap { $0.items.map(\.entry) }.sorted { $0.position < $1.position }
    }

    /// Returns the pending entry that determines the final state of a subject; nil when none is pending.
    func latestPending(about subject: String) -> OutboxEntry? {
        let candidates = queues.values.flatMap { $0.items(about: subject) }.filter { $0.phase != .dropping }.map(\.entry)
        return candidates.filter { entry in !history.supersedes(entry) && !candidates.contains { $0.supersedes(entry) } }.max {
            $0.position < $1.position
        }
    }

    func status(of key: IdempotencyKey) -> OutboxStatus? {
        guard let queue = hosts[key].flatMap({ queues[$0] }), let item = queue[key] else { return history[key].map { .ended($0) } }
        return item.phase == .waiting ? .waiting(item.entry, delayReason(of: item, in: queue)) : .sending(item.entry)
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event.kind {
        case .opened(let isConnected):
            (self.isOpen, self.isConnected, timerDeadline) = (true, isConnected, nil)
            for host in queues.keys.sorted() {
                effects += (queues[host]?.dropSuperseded(by: history) ?? []).map { .complete($0, .superseded) }
            }
        case .closed: close()
        case .added(let entry, let age): add(entry, expires: event.time + limits.age - age, &effects)
        case .network(let isConnected): updateConnectivity(isConnected: isConnected, &effects)
        case .sent(let key, let response): complete(key, .sent(response), &effects)
        case .failed(let key, let error, let jitter): fail(key, error, jitter: jitter, at: event.time, &effects)
        case .interrupted(let key): interrupt(key, at: event.time, &effects)
        case .completed(let receipt, let outcome): finish(receipt, outcome, &effects)
        case .retryRequested: reduceBackoffs()
        case .timerFired: timerDeadline = nil
        }
        if isOpen { sendReadyEntries(at: event.time, &effects) }
    }
}

// MARK: - Adding and removing

extension OutboxSchedule {
    private mutating func add(_ entry: OutboxEntry, expires: Duration, _ effects: inout [Effect]) {
        guard hosts[entry.id] == nil, history[entry.id] == nil else { return }
        // A server that has moved has two hosts; in two queues, writes about one subject could overtake one another.
        let authority = entry.request.url.authority ?? ""
        let host = otherHost(withPending: entry.subject, than: authority) ?? authority
        let item = OutboxHostQueue.Item(entry: entry, expires: expires)
        hosts[entry.id] = host
        queues[host, default: OutboxHostQueue()].insert(item)
        notifyWaiting(entry.id, &effects)
        dropSuperseded(about: entry.subject, in: host, &effects)
    }

    private mutating func dropSuperseded(about subject: String, in host: String, _ effects: inout [Effect]) {
        guard isOpen else { return }
        effects += (queues[host]?.dropSuperseded(about: subject, by: history) ?? []).map { .complete($0, .superseded) }
    }

    /// Returns another host whose queue has the pending entries about a subject; nil if there is none.
    private func otherHost(withPending subject: String, than host: String) -> String? {
        queues.first { $0.key != host && $0.value.hasItems(about: subject) }?.key
    }

    private mutating func finish(_ receipt: OutboxReceipt, _ outcome: OutboxOutcome, _ effects: inout [Effect]) {
        guard let host = hosts.removeValue(forKey: receipt.id), let entry = queues[host]?[receipt.id]?.entry else { return }
        queues[host]?.remove(receipt.id)
        if queues[host]?.items.isEmpty ?? false { queues[host] = nil }
        history.add(receipt)
        effects.append(.notify(OutboxEvent(entry: entry, change: .ended(outcome))))
    }

    private mutating func close() {
        isOpen = false
        for host in queues.keys { queues[host]?.stop() }
    }
}

// MARK: - Attempts

extension OutboxSchedule {
    private mutating func complete(_ key: IdempotencyKey, _ outcome: OutboxOutcome, _ effects: inout [Effect]) {
        guard let host = hosts[key], let item = queues[host]?[key], item.phase == .sending else { return }
        queues[host]?.failures = 0
        queues[host]?.change(key) { $0.phase = .completing }
        effects.append(.complete(item.entry, outcome))
    }

    private mutating func fail(
        _ key: IdempotencyKey, _ error: any Error, jitter: Double, at now: Duration, _ effects: inout [Effect]
    ) {
        guard let host = hosts[key], var queue = queues[host], var item = queue[key], item.phase == .sending else { return }
        guard case .transient(let isEntrySpecific, let retryAfter) = OutboxFailureKind(error, rejectionStatuses: limits.rejectionStatuses)
        else {
            return complete(key, .refused(error), &effects)
        }
        item.phase = .waiting
        item.entry.attempts += 1
        item.entry.lastFailure = "\(error)"
        if isEntrySpecific, item.entry.attempts >= limits.maximumBlockingAttempts {
            item.backoff = limits.backoff(after: item.entry.attempts, error, retryAfter: retryAfter, jitter: jitter, at: now)
            queue.failures = 0
        } else {
            queue.failures += 1
            queue.backoff = limits.backoff(after: queue.failures, error, retryAfter: retryAfter, jitter: jitter, at: now)
        }
        queue.change(key) { $0 = item }
        queues[host] = queue
        effects.append(.update(item.entry))
        dropSuperseded(about: item.entry.subject, in: host, &effects)
        notifyWaiting(key, &effects)
    }

    /// Interrupts an attempt. A backoff prevents a busy loop of interrupted attempts.
    private mutating func interrupt(_ key: IdempotencyKey, at now: Duration, _ effects: inout [Effect]) {
        guard let host = hosts[key], let item = queues[host]?[key], item.phase == .sending else { return }
        queues[host]?.change(key) { $0.phase = .waiting }
        queues[host]?.backoff = limits.backoffAfterInterruption(at: now)
        dropSuperseded(about: item.entry.subject, in: host, &effects)
    }

    private mutating func updateConnectivity(isConnected: Bool, _ effects: inout [Effect]) {
        guard isConnected != self.isConnected else { return }
        self.isConnected = isConnected
        if isConnected { reduceBackoffs() }
        let waiting = queues.values.flatMap { queue in
            queue.items.filter { $0.phase == .waiting }.map { waitingEvent(of: $0, in: queue) }
        }
        effects += waiting.sorted { $0.entry.position < $1.entry.position }.map { Effect.notify($0) }
    }

    private mutating func reduceBackoffs() {
        for host in queues.keys { queues[host]?.reduceBackoffs() }
    }

    /// Sends the entries that are ready, and schedules a timer for the next ones.
    private mutating func sendReadyEntries(at now: Duration, _ effects: inout [Effect]) {
        for host in queues.keys.sorted() {
            effects += (queues[host]?.dropExpired(at: now) ?? []).map { .complete($0, .expired) }
            guard isConnected, let entry = queues[host]?.startNext(at: now) else { continue }
            effects.append(.notify(OutboxEvent(entry: entry, change: .sending)))
            effects.append(.send(entry))
        }
        let next = isConnected ? queues.values.compactMap { $0.nextBackoffEnd(after: now) }.min() : nil
        if let next, next != timerDeadline { effects.append(.scheduleTimer(next)) }
        timerDeadline = next
    }

    // MARK: Notifications

    private func delayReason(of item: OutboxHostQueue.Item, in queue: OutboxHostQueue) -> OutboxDelayReason {
        isConnected ? queue.delayReason(of: item) : .offline
    }

    /// Reports why an entry waits.
    private func notifyWaiting(_ key: IdempotencyKey, _ effects: inout [Effect]) {
        guard let queue = hosts[key].flatMap({ queues[$0] }), let item = queue[key], item.phase == .waiting else { return }
        effects.append(.notify(waitingEvent(of: item, in: queue)))
    }

    private func waitingEvent(of item: OutboxHostQueue.Item, in queue: OutboxHostQueue) -> OutboxEvent {
        OutboxEvent(entry: item.entry, change: .waiting(delayReason(of: item, in: queue)))
    }
}
