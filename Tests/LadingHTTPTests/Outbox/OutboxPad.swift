import Foundation
import HTTPTypes

@testable import LadingHTTP

/// A schedule of writes as a test tells it: each event gives its effects in words.
struct OutboxPad {
    private(set) var schedule: OutboxSchedule
    private(set) var now = Duration.zero
    private var lastPosition: Int64 = 0

    init(_ limits: OutboxLimits = OutboxLimits(), receipts: [OutboxReceipt] = []) {
        schedule = OutboxSchedule(limits, receipts: receipts)
    }

    mutating func open(isOnline: Bool = true) -> [String] { tell(.opened(isOnline: isOnline)) }

    /// - Parameters:
    ///   - name: The key and, before a dash, the subject: `7-on`.
    ///   - action: When it was decided, in seconds.
    ///   - added: When it came in, in seconds.
    mutating func add(
        _ name: String, at action: Double = 0, added: Double = 0, supersedes: Bool = false, host: String = "a.example",
        age: Duration = .zero
    ) -> [String] {
        lastPosition += 1
        let entry = Self.entry(name, at: action, added: added, supersedes: supersedes, host: host, position: lastPosition)
        return tell(.added(entry, age: age))
    }

    mutating func sent(_ name: String) -> [String] {
        tell(.sent(key(name), BackendReply(url: URL(filePath: "/"), status: .ok)))
    }

    mutating func failed(_ name: String, _ error: any Error, luck: Double = 0.5) -> [String] {
        tell(.failed(key(name), error, luck: luck))
    }

    mutating func settled(_ name: String, _ ending: OutboxEnding = .sent(BackendReply(url: URL(filePath: "/"), status: .ok))) -> [String] {
        guard let entry = schedule.entries.first(where: { $0.id == key(name) }) else { return [] }
        return tell(.settled(OutboxReceipt(entry, ending.outcome, ended: .distantFuture), ending))
    }

    mutating func pass(_ time: Duration) -> [String] {
        now += time
        return tell(.due)
    }

    mutating func tell(_ kind: OutboxSchedule.Kind) -> [String] {
        var effects: [OutboxSchedule.Effect] = []
        schedule.handle(.init(kind: kind, time: now), effects: &effects)
        return effects.map(word)
    }

    static func entry(
        _ name: String, at action: Double = 0, added: Double = 0, supersedes: Bool = false, host: String = "a.example",
        position: Int64 = 1
    ) -> OutboxEntry {
        OutboxEntry(
            id: key(name), subject: String(name.prefix { $0 != "-" }), request: OutboxRequest(url: URL(string: "http://\(host)/")!),
            action: Date(timeIntervalSinceReferenceDate: action), added: Date(timeIntervalSinceReferenceDate: added),
            supersedes: supersedes, position: position)
    }

    static func key(_ name: String) -> IdempotencyKey { IdempotencyKey(rawValue: name)! }

    func key(_ name: String) -> IdempotencyKey { Self.key(name) }

    private func word(_ effect: OutboxSchedule.Effect) -> String {
        switch effect {
        case .send(let entry): "send \(entry.id)"
        case .settle(let entry, let ending): "settle \(entry.id) \(ending.outcome)"
        case .note(let entry): "note \(entry.id) \(entry.attempts)"
        case .alarm(let time): "alarm \(time / .seconds(1))"
        case .tell(let event): "\(event.entry.id) \(event.change.word)"
        }
    }
}

extension BackendError {
    private static let somewhere = URL(string: "http://a.example/")!

    static func answered(_ status: Int, _ headers: HTTPFields = [:]) -> BackendError { .status(status, somewhere, headers: headers) }
    static var away: BackendError { .unreachable(somewhere, cause: CancellationError()) }
    static var open: BackendError { .circuitOpen(somewhere, for: .seconds(8)) }
}
