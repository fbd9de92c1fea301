import Foundation
import HTTPTypes
import LadingTesting
@testable import LadingHTTP
@testable import LadingOutbox

/// A fuzzer of a schedule of writes, which sends random events, performs the effects, and records violations.
struct OutboxFuzzer {
    private var schedule = OutboxSchedule(OutboxLimits(age: .seconds(1_000), maximumBlockingAttempts: 2))
    private var random: SeededRandom
    private var now = Duration.zero
    private var lastPosition: Int64 = 0
    private var isOpen = false
    private var added: [IdempotencyKey: OutboxEntry] = [:]
    /// The host of the queue of each entry: its own, or that of a pending entry about its subject.
    private var queueHosts: [IdempotencyKey: String] = [:]
    private var inFlight: [IdempotencyKey: OutboxEntry] = [:]
    private var completing: [(OutboxEntry, OutboxOutcome)] = []
    /// The positions that the servers accepted, in order, by subject.
    private var acceptedPositions: [String: [Int64]] = [:]
    private(set) var ended: Set<IdempotencyKey> = []
    private(set) var violations: [String] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func run(rounds: Int) {
        for _ in 0..<rounds { handle(randomEvent()) }
        handle(.closed)
        handle(.opened(isConnected: true))
        handle(.network(isConnected: true))
        while let entry = inFlight.values.first { succeed(entry) }
        while !completing.isEmpty { handle(randomCompletion()) }
        if schedule.entries.contains(where: { ended.contains($0.id) }) { violations.append("an entry has ended and is still there") }
        if schedule.count + ended.count != added.count { violations.append("an entry is lost") }
    }

    private mutating func succeed(_ entry: OutboxEntry) { handle(.sent(entry.id, BackendResponse(url: entry.request.url, status: .ok))) }

    private mutating func randomEvent() -> OutboxSchedule.Kind {
        now += .milliseconds(Int.random(in: 0..<3_000, using: &random))
        let key = inFlight.keys.sorted { $0.rawValue < $1.rawValue }.randomElement(using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return isOpen ? .closed : .opened(isConnected: .random(using: &random))
        case 1: return .network(isConnected: Int.random(in: 0..<4, using: &random) > 0)
        case 2: return .retryRequested
        case 3..<8: return add()
        case 8..<12: return completing.isEmpty ? .timerFired : randomCompletion()
        default:
            guard let key, let entry = inFlight[key] else { return isOpen ? .timerFired : .opened(isConnected: true) }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return .interrupted(key)
            case 1: return .failed(key, BackendError.unreachableHost, jitter: .random(in: 0..<1, using: &random))
            case 2: return .failed(key, BackendError.httpStatus(500), jitter: .random(in: 0..<1, using: &random))
            case 3: return .failed(key, BackendError.httpStatus(404), jitter: 0)
            default: return .sent(key, BackendResponse(url: entry.request.url, status: .ok))
            }
        }
    }

    private mutating func add() -> OutboxSchedule.Kind {
        lastPosition += 1
        let (subject, host) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<2, using: &random))
        let entry = OutboxScheduleHarness.entry(
            "\(subject)-\(lastPosition)", at: .random(in: 0..<100, using: &random), supersedes: .random(using: &random),
            host: "\(host).example", position: lastPosition)
        let pending = schedule.entries.first { $0.subject == entry.subject }
        queueHosts[entry.id] = pending.flatMap { queueHosts[$0.id] } ?? "\(host)"
        added[entry.id] = entry
        return .added(entry, age: .zero)
    }

    private mutating func randomCompletion() -> OutboxSchedule.Kind {
        let (entry, outcome) = completing.remove(at: Int.random(in: 0..<completing.count, using: &random))
        if !ended.insert(entry.id).inserted { violations.append("\(entry.id) ended twice") }
        return .completed(OutboxReceipt(entry, outcome.receiptOutcome, ended: .distantFuture), outcome)
    }

    private mutating func handle(_ kind: OutboxSchedule.Kind) {
        switch kind {
        case .closed: (isOpen, completing) = (false, [])
        case .opened: isOpen = true
        default: break
        }
        removeInFlight(after: kind)
        var effects: [OutboxSchedule.Effect] = []
        schedule.handle(.init(kind: kind, time: now), effects: &effects)
        for effect in effects { perform(effect) }
    }

    /// Removes the entry whose attempt an event ends, or all entries.
    private mutating func removeInFlight(after kind: OutboxSchedule.Kind) {
        switch kind {
        case .closed: inFlight = [:]
        case .sent(let key, _), .failed(let key, _, _), .interrupted(let key): inFlight[key] = nil
        default: break
        }
    }

    private mutating func perform(_ effect: OutboxSchedule.Effect) {
        switch effect {
        case .send(let entry):
            if !isOpen { violations.append("\(entry.id) is sent although it is closed") }
            if ended.contains(entry.id) { violations.append("\(entry.id) is sent after its end") }
            if inFlight.keys.contains(where: { queueHosts[$0] == queueHosts[entry.id] }) { violations.append("two at once of a queue") }
            inFlight[entry.id] = entry
        case .complete(let entry, let outcome):
            completing.append((entry, outcome))
            guard case .sent = outcome else { return }
            // Until the outcome is saved, the same entry may be sent again, but no earlier one.
            if let last = acceptedPositions[entry.subject]?.last, last > entry.position { violations.append("\(entry.id) was overtaken") }
            acceptedPositions[entry.subject, default: []].append(entry.position)
        case .update, .scheduleTimer, .notify: break
        }
    }
}
