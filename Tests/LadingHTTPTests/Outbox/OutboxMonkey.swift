import Foundation
import HTTPTypes
import LadingTesting

@testable import LadingHTTP

/// Tells a schedule of writes events by lot, does what it says, and complains about what must not happen.
struct OutboxMonkey {
    private var schedule = OutboxSchedule(OutboxLimits(age: .seconds(1_000), attemptsInOrder: 2))
    private var random: SeededRandom
    private var now = Duration.zero
    private var lastPosition: Int64 = 0
    private var isOpen = false
    private var added: [IdempotencyKey: OutboxEntry] = [:]
    private var underWay: [IdempotencyKey: OutboxEntry] = [:]
    private var settling: [(OutboxEntry, OutboxEnding)] = []
    /// By host and subject, the positions that were taken by the server, in order.
    private var taken: [String: [Int64]] = [:]
    private(set) var ended: Set<IdempotencyKey> = []
    private(set) var complaints: [String] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func play(rounds: Int) {
        for _ in 0..<rounds { tell(draw()) }
        tell(.closed)
        tell(.opened(isOnline: true))
        tell(.network(isOnline: true))
        while let entry = underWay.values.first { settle(entry) }
        while !settling.isEmpty { tell(settled()) }
        if schedule.entries.contains(where: { ended.contains($0.id) }) { complaints.append("an entry has ended and is still there") }
        if schedule.count + ended.count != added.count { complaints.append("an entry is lost") }
    }

    private mutating func settle(_ entry: OutboxEntry) { tell(.sent(entry.id, BackendReply(url: entry.request.url, status: .ok))) }

    private mutating func draw() -> OutboxSchedule.Kind {
        now += .milliseconds(Int.random(in: 0..<3_000, using: &random))
        let key = underWay.keys.sorted { $0.rawValue < $1.rawValue }.randomElement(using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return isOpen ? .closed : .opened(isOnline: .random(using: &random))
        case 1: return .network(isOnline: Int.random(in: 0..<4, using: &random) > 0)
        case 2: return .hurry
        case 3..<8: return add()
        case 8..<12: return settling.isEmpty ? .due : settled()
        default:
            guard let key, let entry = underWay[key] else { return isOpen ? .due : .opened(isOnline: true) }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return .interrupted(key)
            case 1: return .failed(key, BackendError.away, luck: .random(in: 0..<1, using: &random))
            case 2: return .failed(key, BackendError.answered(500), luck: .random(in: 0..<1, using: &random))
            case 3: return .failed(key, BackendError.answered(404), luck: 0)
            default: return .sent(key, BackendReply(url: entry.request.url, status: .ok))
            }
        }
    }

    private mutating func add() -> OutboxSchedule.Kind {
        lastPosition += 1
        let (subject, host) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<2, using: &random))
        let entry = OutboxPad.entry(
            "\(subject)-\(lastPosition)", at: .random(in: 0..<100, using: &random), supersedes: .random(using: &random),
            host: "\(host).example", position: lastPosition)
        added[entry.id] = entry
        return .added(entry, age: .zero)
    }

    private mutating func settled() -> OutboxSchedule.Kind {
        let (entry, ending) = settling.remove(at: Int.random(in: 0..<settling.count, using: &random))
        if !ended.insert(entry.id).inserted { complaints.append("\(entry.id) ended twice") }
        return .settled(OutboxReceipt(entry, ending.outcome, ended: .distantFuture), ending)
    }

    private mutating func tell(_ kind: OutboxSchedule.Kind) {
        switch kind {
        case .closed: (isOpen, settling) = (false, [])
        case .opened: isOpen = true
        default: break
        }
        forget(kind)
        var effects: [OutboxSchedule.Effect] = []
        schedule.handle(.init(kind: kind, time: now), effects: &effects)
        for effect in effects { obey(effect) }
    }

    /// What an event ends is not under way any more.
    private mutating func forget(_ kind: OutboxSchedule.Kind) {
        switch kind {
        case .closed: underWay = [:]
        case .sent(let key, _), .failed(let key, _, _), .interrupted(let key): underWay[key] = nil
        default: break
        }
    }

    private mutating func obey(_ effect: OutboxSchedule.Effect) {
        switch effect {
        case .send(let entry):
            if !isOpen { complaints.append("\(entry.id) is sent although it is closed") }
            if ended.contains(entry.id) { complaints.append("\(entry.id) is sent after its end") }
            if underWay.values.contains(where: { $0.request.url == entry.request.url }) { complaints.append("two at once for a host") }
            underWay[entry.id] = entry
        case .settle(let entry, let ending):
            settling.append((entry, ending))
            guard case .sent = ending else { return }
            let name = "\(entry.request.url) \(entry.subject)"
            // Until it is written down, the same one may be sent again; nothing that came before it may.
            if let last = taken[name]?.last, last > entry.position { complaints.append("\(entry.id) was overtaken") }
            taken[name, default: []].append(entry.position)
        case .note, .alarm, .tell: break
        }
    }
}
