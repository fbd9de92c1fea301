import Foundation
import LadingHTTP
import LadingNIO
import LadingTesting
import Logging
import OrderLifecycle
import OrderStorage
import ScriptedServers
import Synchronization

import GRDB
@testable import OrderAPI
@testable import OrderStorageSQLite
@testable import Webhooks

/// An order store, a receiver of events, and senders over a journal that outlives them.
final class WebhookFixture: Sendable {
    static let start = Timestamp(milliseconds: 1_778_846_400_000)
    static let secret = WebhookSecret(key: Array("sixteen characters".utf8))

    /// The executor of the program, which all tests share and which ends with them.
    private static let executor = AsyncHTTPClientExecutor()

    /// An event as the receiver sees it.
    struct Event: Hashable, Sendable {
        let id: String
        let type: String
        /// The order; nil for events of the feed.
        let order: Int?
        /// The number of the event of the order; nil for others.
        let number: Int?
        let externalID: String?
    }

    let store: SQLiteOrderStore
    let api: OrderAPI
    let journal: MemoryOutboxJournal
    let receiver: ScriptedServer
    /// The number of events that senders have reported as abandoned.
    let abandonedEvents = ObservableValue(0)
    /// The number of warnings of senders: the webhook fails, or is reached again. The monitor knows it before.
    let warnings = ObservableValue(0)
    private let received: ReceivedEvents
    private let keys = Atomic(0)

    /// - Parameter answer: Returns the steps after an event was received; nil for 204.
    init(
        store: SQLiteOrderStore? = nil, journal: MemoryOutboxJournal = MemoryOutboxJournal(),
        answer: @escaping @Sendable (Event, _ attempt: Int) -> [ScriptedServer.Step]? = { _, _ in nil }
    ) async throws {
        let store = try store ?? SQLiteOrderStore.inMemory()
        self.store = store
        self.journal = journal
        api = OrderAPI(store) { Self.start }
        let received = ReceivedEvents()
        self.received = received
        receiver = try ScriptedServer { request in
            guard let (event, attempt) = received.add(request) else {
                return [.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")]
            }
            return answer(event, attempt) ?? [.send("HTTP/1.1 204 No Content\r\n\r\n")]
        }
    }

    deinit { receiver.stop() }

    /// The valid events in the order of their arrival, repeated ones included.
    var events: [Event] { received.all }

    /// Waits until events of this number of different ids have arrived.
    func wait(forIDs count: Int) async throws {
        try await receiver.wait { [received] _ in Set(received.all.map(\.id)).count >= count }
    }

    /// Runs a sender while a body runs.
    func run<Result: Sendable>(
        monitor: WebhookMonitor = WebhookMonitor(url: ""), age: Duration = .seconds(86_400), url: URL? = nil,
        mayHaveLostEvents: Bool = false, now: @escaping @Sendable () -> Date = { start.date }, _ body: () async throws -> Result
    ) async throws -> Result {
        let sender = try await sender(monitor: monitor, age: age, url: url, mayHaveLostEvents: mayHaveLostEvents, now: now)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await sender.run() }
            defer { tasks.cancelAll() }
            return try await body()
        }
    }

    func sender(
        monitor: WebhookMonitor = WebhookMonitor(url: ""), age: Duration = .seconds(86_400), url: URL? = nil,
        mayHaveLostEvents: Bool = false, now: @escaping @Sendable () -> Date = { start.date }
    ) async throws -> WebhookSender {
        try await WebhookSender(
            api.feed, to: url ?? receiver.url("/hook?token=secret"), secret: Self.secret, age: age, executor: Self.executor,
            journal: journal, mayHaveLostEvents: mayHaveLostEvents, monitor: monitor,
            logger: Logger(label: "test") { [abandonedEvents, warnings] _ in
                ReportCounter(errors: abandonedEvents, warnings: warnings)
            }, now: now)
    }

    /// Creates an order, and returns its id.
    func createOrder(externalID: String? = nil) async throws -> Int {
        let content = OrderContent(
            title: "Breakfast", price: "1", currency: "EUR",
            destination: OrderContent.Destination(address: "1 Quay Street", coordinate: nil))
        return try await perform(.create(content, externalID: externalID), by: "ada", .dispatcher).order ?? 0
    }

    /// Lets a courier take an order and give it back, which are two events.
    func claimAndRelease(_ order: Int) async throws {
        let fence = try await perform(.lifecycle(order: order, .claim), by: "mina", .courier).version?.fence ?? .initial
        try await perform(.lifecycle(order: order, .release(fence)), by: "mina", .courier)
    }

    /// Lets a courier take an order and pick it up.
    func pickUp(_ order: Int, missing: [String]) async throws {
        let fence = try await perform(.lifecycle(order: order, .claim), by: "mina", .courier).version?.fence ?? .initial
        try await perform(.lifecycle(order: order, .pickUp(fence, missing: missing)), by: "mina", .courier)
    }

    /// Begins an epoch, as restoring a backup does.
    func beginEpoch() async throws { try await store.writer.write { try SQLiteOrderStore.beginEpoch(in: $0) } }

    @discardableResult
    private func perform(_ change: OrderStoreCommand.Change, by person: String, _ role: Role) async throws -> StoredVerdict {
        let key = "\(keys.add(1, ordering: .relaxed).newValue)"
        let sender = OrderLifecycle.Sender(PersonID(rawValue: person), role: role, actionTime: Self.start)
        return try await api.perform(OrderStoreCommand(change, from: sender, key: key, fingerprint: key), at: Self.start).verdict
    }
}

/// A log that counts warnings, and errors, each of which reports an abandoned event.
private struct ReportCounter: LogHandler {
    let errors: ObservableValue<Int>
    let warnings: ObservableValue<Int>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    init(errors: ObservableValue<Int>, warnings: ObservableValue<Int>) { (self.errors, self.warnings) = (errors, warnings) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { (event.level == .error ? errors : warnings).change { $0 += 1 } }
}

/// The events that a receiver has accepted as signed.
private final class ReceivedEvents: Sendable {
    private let events = Mutex<[WebhookFixture.Event]>([])

    var all: [WebhookFixture.Event] { events.withLock { $0 } }

    /// Verifies and decodes a request; returns nil for one that is not signed.
    func add(_ request: ReceivedRequest) -> (event: WebhookFixture.Event, attempt: Int)? {
        guard let id = request["webhook-id"],
            let seconds = request["webhook-timestamp"].flatMap({ Int64($0) }),
            request["webhook-signature"]
                == WebhookFixture.secret.signature(of: request.body, id: id, timestamp: seconds),
            let document = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any],
            let type = document["type"] as? String, let data = document["data"] as? [String: Any]
        else { return nil }
        let event = WebhookFixture.Event(
            id: id, type: type, order: data["order"] as? Int, number: (data["event"] as? [String: Any])?["number"] as? Int,
            externalID: data["externalId"] as? String)
        return events.withLock { events in
            events.append(event)
            return (event, events.count { $0.id == id })
        }
    }
}
