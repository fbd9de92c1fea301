import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingOperations
import LadingTesting
@testable import LadingHTTP
@testable import LadingOutbox

/// An outbox with a scripted network, a manual clock, and a journal that outlives it.
final class OutboxFixture: Sendable {
    static let url = "http://a.example/v1/deliveries/7/favourite"
    static let day = Date(timeIntervalSince1970: 1_778_846_400)

    let executor: ScriptedExecutor
    let clock = ManualClock()
    let journal: MemoryOutboxJournal
    let network = ManualConnectivity()
    let queue: BackendQueue
    let outbox: Outbox

    init(
        _ limits: OutboxLimits = OutboxLimits(), journal: MemoryOutboxJournal = MemoryOutboxJournal(),
        executor: ScriptedExecutor = ScriptedExecutor(), partition: String = "", interceptors: [any RequestInterceptor] = [],
        now: Date = OutboxFixture.day, resolveURL: @escaping @Sendable (URL) -> URL = { $0 }
    ) async throws {
        self.executor = executor
        self.journal = journal
        let client = BackendClient(executor: executor, clock: clock, interceptors: interceptors)
        queue = BackendQueue(clock: clock)
        outbox = try await Outbox(
            client: client, queue: queue, journal: journal, partition: partition, connectivity: network, limits: limits, clock: clock,
            now: { now }, resolveURL: resolveURL, jitter: { 0.5 })
    }

    /// Runs the outbox while a body runs.
    func run<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.outbox.run() }
            let value = try await body()
            group.cancelAll()
            try await group.waitForAll()
            return value
        }
    }

    @discardableResult
    func add(
        _ key: String, _ text: String = "on", about subject: String = "7", at action: Double = 0, supersedes: Bool = true,
        method: HTTPRequest.Method = .put, url: String = OutboxFixture.url, headers: HTTPFields = [:]
    ) async throws -> IdempotencyKey {
        try await outbox.add(
            OutboxRequest(method: method, url: URL(string: url)!, headers: headers, body: Array(text.utf8)), changing: subject,
            at: Date(timeIntervalSince1970: action), key: IdempotencyKey(rawValue: key), supersedesPrevious: supersedes)
    }

    /// The sent bodies with their keys.
    var sent: [String] {
        executor.requests.map { "\($0.headers[.idempotencyKey] ?? "-") \(String(decoding: $0.body.bytes ?? [], as: UTF8.self))" }
    }

    /// Waits for the next timer, advances the clock to it, and returns the time in between.
    func advanceToNextTimer() async -> Duration {
        let start = clock.now
        let wait = await start.duration(to: clock.nextTimer())
        clock.advance(by: wait)
        return wait
    }
}

extension AsyncStream<OutboxEvent> {
    /// Returns descriptions of the events up to the first outcome, or the outcome of a key.
    func descriptionsUntilEnd(of key: String? = nil) async -> [String] {
        var words: [String] = []
        for await event in self {
            words.append("\(event.entry.id) \(event.change.summary)")
            if case .ended = event.change, key == nil || event.entry.id.rawValue == key { break }
        }
        return words
    }

    /// Waits for an event and returns it.
    func first(describedAs word: String) async -> OutboxEvent? { await first { "\($0.entry.id) \($0.change.summary)" == word } }
}

extension OutboxEvent.Change {
    var summary: String {
        switch self {
        case .waiting(.queued): "waits"
        case .waiting(.offline): "waits for the network"
        case .waiting(.retry(_, let pause)): "waits \(pause / .seconds(1))"
        case .sending: "sending"
        case .ended(let outcome): "\(outcome.receiptOutcome)"
        }
    }
}
