import Foundation
import HTTPTypes
@testable import LadingHTTP
@testable import LadingOutbox

/// A schedule of writes for tests, with descriptions of the effects of each event.
struct OutboxScheduleHarness {
    private(set) var schedule: OutboxSchedule
    private(set) var now = Duration.zero
    private var lastPosition: Int64 = 0

    init(_ limits: OutboxLimits = OutboxLimits(), receipts: [OutboxReceipt] = []) {
        schedule = OutboxSchedule(limits, receipts: receipts)
    }

    mutating func open(isConnected: Bool = true) -> [String] { handle(.opened(isConnected: isConnected)) }

    /// Adds an entry and returns the effects as texts.
    ///
    /// - Parameters:
    ///   - name: The key and, before a dash, the subject: `7-on`.
    ///   - action: The action date, in seconds.
    ///   - added: The date of insertion, in seconds.
    mutating func add(
        _ name: String, at action: Double = 0, added: Double = 0, supersedes: Bool = false, host: String = "a.example",
        age: Duration = .zero
    ) -> [String] {
        lastPosition += 1
        let entry = Self.entry(name, at: action, added: added, supersedes: supersedes, host: host, position: lastPosition)
        return handle(.added(entry, age: age))
    }

    mutating func sent(_ name: String) -> [String] {
        handle(.sent(key(name), BackendResponse(url: URL(filePath: "/"), status: .ok)))
    }

    mutating func failed(_ name: String, _ error: any Error, jitter: Double = 0.5) -> [String] {
        handle(.failed(key(name), error, jitter: jitter))
    }

    mutating func completed(_ name: String, _ outcome: OutboxOutcome = .sent(BackendResponse(url: URL(filePath: "/"), status: .ok)))
        -> [String]
    {
        guard let entry = schedule.entries.first(where: { $0.id == key(name) }) else { return [] }
        return handle(.completed(OutboxReceipt(entry, outcome.receiptOutcome, ended: .distantFuture), outcome))
    }

    mutating func advance(by time: Duration) -> [String] {
        now += time
        return handle(.timerFired)
    }

    mutating func handle(_ kind: OutboxSchedule.Kind) -> [String] {
        var effects: [OutboxSchedule.Effect] = []
        schedule.handle(.init(kind: kind, time: now), effects: &effects)
        return effects.map(describe)
    }

    static func entry(
        _ name: String, at action: Double = 0, added: Double = 0, supersedes: Bool = false, host: String = "a.example",
        position: Int64 = 1
    ) -> OutboxEntry {
        OutboxEntry(
            id: key(name), subject: String(name.prefix { $0 != "-" }), request: OutboxRequest(url: URL(string: "http://\(host)/")!),
            actionDate: Date(timeIntervalSinceReferenceDate: action), added: Date(timeIntervalSinceReferenceDate: added),
            supersedesPrevious: supersedes, position: position)
    }

    static func key(_ name: String) -> IdempotencyKey { IdempotencyKey(rawValue: name)! }

    func key(_ name: String) -> IdempotencyKey { Self.key(name) }

    private func describe(_ effect: OutboxSchedule.Effect) -> String {
        switch effect {
        case .send(let entry): "send \(entry.id)"
        case .complete(let entry, let outcome): "settle \(entry.id) \(outcome.receiptOutcome)"
        case .update(let entry): "save \(entry.id) \(entry.attempts)"
        case .scheduleTimer(let time): "timer \(time / .seconds(1))"
        case .notify(let event): "\(event.entry.id) \(event.change.summary)"
        }
    }
}

extension BackendError {
    private static let exampleURL = URL(string: "http://a.example/")!

    static func httpStatus(_ status: Int, _ headers: HTTPFields = [:]) -> BackendError { .status(status, exampleURL, headers: headers) }
    static var unreachableHost: BackendError { .unreachable(exampleURL, cause: CancellationError()) }
    static var openCircuit: BackendError { .circuitOpen(exampleURL, retryAfter: .seconds(8)) }
}
