import Foundation
import LadingOperations

/// Decides which write of an outbox is sent when, and what becomes of it.
///
/// | an entry | event → next, effects |
/// |---|---|
/// | – | added → waiting, tell |
/// | waiting | its turn, and a network → sending, send · outdone or too old → leaving, settle |
/// | sending | sent → settling, settle · refused → settling, settle · failed otherwise → waiting after a rest, note · interrupted, closed → waiting |
/// | settling, leaving | settled → gone, tell · closed → waiting |
///
/// Each host has a line. In a line one entry is under way, in order; while it rests after a failure, so does the line. An entry that the server has answered
/// and not taken for `attemptsInOrder` times rests alone: those about other subjects pass, those about its own wait. Nothing else overtakes.
///
/// What a server has refused ends one entry; later ones about the same subject go on.
struct OutboxSchedule: Decision, Sendable {
    /// What happened, and when: times are those that have gone by since some moment, the same for all events.
    struct Event {
        let kind: Kind
        let time: Duration
    }

    enum Kind {
        /// Entries may be sent from now on.
        case opened(isOnline: Bool)
        /// Nothing is under way any more, and nothing may be sent.
        case closed
        /// An entry is in the journal, and is so old.
        case added(OutboxEntry, age: Duration)
        case network(isOnline: Bool)
        case sent(IdempotencyKey, BackendReply)
        /// - Parameter luck: A number drawn evenly from 0..<1.
        case failed(IdempotencyKey, any Error, luck: Double)
        /// An attempt was broken off here.
        case interrupted(IdempotencyKey)
        /// The end of an entry is in the journal.
        case settled(OutboxReceipt, OutboxEnding)
        /// Somebody asks to try again soon.
        case hurry
        /// The alarm rings.
        case due
    }

    enum Effect: Sendable {
        case send(OutboxEntry)
        /// Write down how an entry ends.
        case settle(OutboxEntry, OutboxEnding)
        /// Write down that an attempt failed.
        case note(OutboxEntry)
        /// Tell when it is this time, and forget what was asked for before.
        case alarm(Duration)
        case tell(OutboxEvent)
    }

    private(set) var history: OutboxHistory
    private let limits: OutboxLimits
    private var lines: [String: OutboxLine] = [:]
    private var hosts: [IdempotencyKey: String] = [:]
    private var isOpen = false
    private var isOnline = true
    private var alarm: Duration?

    init(_ limits: OutboxLimits, receipts: [OutboxReceipt] = []) {
        self.limits = limits
        history = OutboxHistory(receipts, limit: limits.receipts)
    }

    var count: Int { hosts.count }

    /// In the order in which they were added.
    var entries: [OutboxEntry] {
        lines.values.flatMap { $0.items.map(\.entry) }.sorted { $0.position < $1.position }
    }

    /// What will be said last of a subject once everything is sent; nil when nothing waits to be.
    func latest(about subject: String) -> OutboxEntry? {
        let rivals = lines.values.flatMap { line in line.items.filter { $0.entry.subject == subject && $0.phase != .leaving }.map(\.entry) }
        return rivals.filter { entry in !history.outdoes(entry) && !rivals.contains { $0.outdoes(entry) } }.max {
            $0.position < $1.position
        }
    }

    func standing(of key: IdempotencyKey) -> OutboxStanding? {
        guard let line = hosts[key].flatMap({ lines[$0] }), let item = line[key] else { return history[key].map { .ended($0) } }
        return item.phase == .waiting ? .waiting(item.entry, wait(of: item, in: line)) : .sending(item.entry)
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event.kind {
        case .opened(let isOnline):
            (self.isOpen, self.isOnline, alarm) = (true, isOnline, nil)
            for host in lines.keys.sorted() { dropOutdone(in: host, &effects) }
        case .closed: close()
        case .added(let entry, let age): add(entry, expires: event.time + limits.age - age, &effects)
        case .network(let isOnline): turn(isOnline: isOnline, &effects)
        case .sent(let key, let reply): settle(key, .sent(reply), &effects)
        case .failed(let key, let error, let luck): fail(key, error, luck: luck, at: event.time, &effects)
        case .interrupted(let key): interrupt(key, at: event.time)
        case .settled(let receipt, let ending): end(receipt, ending, &effects)
        case .hurry: hurry()
        case .due: alarm = nil
        }
        if isOpen { goOn(at: event.time, &effects) }
    }
}

// MARK: - Coming and going

extension OutboxSchedule {
    private mutating func add(_ entry: OutboxEntry, expires: Duration, _ effects: inout [Effect]) {
        guard hosts[entry.id] == nil, history[entry.id] == nil else { return }
        let host = entry.request.url.authority ?? ""
        let item = OutboxLine.Item(entry: entry, expires: expires)
        hosts[entry.id] = host
        lines[host, default: OutboxLine()].insert(item)
        tell(entry.id, &effects)
        if isOpen { dropOutdone(in: host, &effects) }
    }

    private mutating func dropOutdone(in host: String, _ effects: inout [Effect]) {
        guard let items = lines[host]?.items else { return }
        let rivals = Dictionary(grouping: items.filter { $0.entry.supersedes && $0.phase != .leaving }, by: \.entry.subject)
        let dropped = lines[host]?.drop { [history] item in
            if history.outdoes(item.entry) { return true }
            return rivals[item.entry.subject]?.contains { $0.entry.outdoes(item.entry) } ?? false
        }
        effects += (dropped ?? []).map { .settle($0, .superseded) }
    }

    private mutating func end(_ receipt: OutboxReceipt, _ ending: OutboxEnding, _ effects: inout [Effect]) {
        guard let host = hosts.removeValue(forKey: receipt.id), let entry = lines[host]?[receipt.id]?.entry else { return }
        lines[host]?.remove(receipt.id)
        if lines[host]?.items.isEmpty ?? false { lines[host] = nil }
        history.add(receipt)
        effects.append(.tell(OutboxEvent(entry: entry, change: .ended(ending))))
    }

    private mutating func close() {
        isOpen = false
        for host in lines.keys { lines[host]?.stop() }
    }
}

// MARK: - Attempts

extension OutboxSchedule {
    private mutating func settle(_ key: IdempotencyKey, _ ending: OutboxEnding, _ effects: inout [Effect]) {
        guard let host = hosts[key], let item = lines[host]?[key], item.phase == .sending else { return }
        lines[host]?.failures = 0
        lines[host]?.change(key) { $0.phase = .settling }
        effects.append(.settle(item.entry, ending))
    }

    private mutating func fail(
        _ key: IdempotencyKey, _ error: any Error, luck: Double, at now: Duration, _ effects: inout [Effect]
    ) {
        guard let host = hosts[key], var line = lines[host], var item = line[key], item.phase == .sending else { return }
        guard case .passing(let isOfEntry, let wish) = OutboxVerdict(error) else { return settle(key, .refused(error), &effects) }
        item.phase = .waiting
        item.entry.attempts += 1
        item.entry.lastFailure = "\(error)"
        if isOfEntry, item.entry.attempts >= limits.attemptsInOrder {
            item.rest = limits.rest(after: item.entry.attempts, error, wish: wish, luck: luck, at: now)
            line.failures = 0
        } else {
            line.failures += 1
            line.rest = limits.rest(after: line.failures, error, wish: wish, luck: luck, at: now)
        }
        line.change(key) { $0 = item }
        lines[host] = line
        effects.append(.note(item.entry))
        tell(key, &effects)
    }

    /// Whoever breaks attempts off must not make the line run hot.
    private mutating func interrupt(_ key: IdempotencyKey, at now: Duration) {
        guard let host = hosts[key], lines[host]?[key]?.phase == .sending else { return }
        lines[host]?.change(key) { $0.phase = .waiting }
        lines[host]?.rest = limits.rest(after: 1, nil, wish: nil, luck: 0, at: now)
    }

    private mutating func turn(isOnline: Bool, _ effects: inout [Effect]) {
        guard isOnline != self.isOnline else { return }
        self.isOnline = isOnline
        if isOnline { hurry() }
        for key in entries.map(\.id) { tell(key, &effects) }
    }

    private mutating func hurry() {
        for host in lines.keys { lines[host]?.hurry() }
    }

    /// Sends what may be sent, and asks to be told when there will be more.
    private mutating func goOn(at now: Duration, _ effects: inout [Effect]) {
        for host in lines.keys.sorted() {
            let expired = lines[host]?.drop { $0.expires <= now } ?? []
            effects += expired.map { .settle($0, .expired) }
            guard isOnline, let entry = lines[host]?.takeNext(at: now) else { continue }
            effects.append(.tell(OutboxEvent(entry: entry, change: .sending)))
            effects.append(.send(entry))
        }
        let next = isOnline ? lines.values.compactMap { $0.nextEnd(after: now) }.min() : nil
        if let next, next != alarm { effects.append(.alarm(next)) }
        alarm = next
    }

    // MARK: Telling

    private func wait(of item: OutboxLine.Item, in line: OutboxLine) -> OutboxWait { isOnline ? line.wait(of: item) : .network }

    /// Tells why an entry waits.
    private func tell(_ key: IdempotencyKey, _ effects: inout [Effect]) {
        guard let line = hosts[key].flatMap({ lines[$0] }), let item = line[key], item.phase == .waiting else { return }
        effects.append(.tell(OutboxEvent(entry: item.entry, change: .waiting(wait(of: item, in: line)))))
    }
}
