import Deliveries
import Foundation
import HTTPTypes
import LadingHTTP
import LadingJournals
import LadingOperations
import LadingOutbox
import LadingRecords
import LadingSQLite
import LadingTesting
import Synchronization

/// An origin on disk, and favourites with their files beside it.
final class FavouriteFixture: Sendable {
    private static let announcement = "The orders are served at "
    private static let noon = Date(timeIntervalSince1970: 1_778_846_400)

    let folder: URL
    let outbox: Outbox
    let favourites: DeliveryFavourites
    let events: AsyncStream<OutboxEvent>
    private let store: SQLiteRecordStore<Delivery>
    private let address: URL
    private let running: Mutex<ChildProcess>

    var origin: ChildProcess { running.withLock { $0 } }

    convenience init() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "favourites-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (origin, list) = try await Program.start(Self.arguments(folder, port: 0), announcing: Self.announcement)
        guard let url = URL(string: list), let address = URL(string: "/", relativeTo: url)?.absoluteURL else { throw CancellationError() }
        try await self.init(folder, origin, address)
    }

    private init(_ folder: URL, _ origin: ChildProcess, _ address: URL) async throws {
        self.folder = folder
        self.address = address
        running = Mutex(origin)
        store = try SQLiteRecordStore<Delivery>(at: folder.appending(path: "deliveries.sqlite"))
        outbox = try await Outbox(
            client: BackendClient(), queue: BackendQueue(),
            journal: try SQLiteOutboxJournal(at: folder.appending(path: "outbox.sqlite")),
            limits: OutboxLimits(base: .milliseconds(20), cap: .milliseconds(200), minimumDelay: .milliseconds(20)))
        events = outbox.events()
        favourites = DeliveryFavourites(of: DeliveryList(url: address.appending(path: "deliveries")), in: store, outbox: outbox)
    }

    /// Opens the same files again, which simulates a restart of the client.
    func reopened() async throws -> FavouriteFixture { try await FavouriteFixture(folder, origin, address) }

    func removeFiles() { try? FileManager.default.removeItem(at: folder) }

    private static func arguments(_ folder: URL, port: Int) -> [String] {
        ["serve", "--port", "\(port)", "--data", folder.appending(path: "origin").path, "--orders", "1", "--deliveries", "50"]
    }

    /// Restarts the origin on the same port.
    func restart() async throws {
        let (origin, _) = try await Program.start(Self.arguments(folder, port: address.port ?? 0), announcing: Self.announcement)
        running.withLock { $0 = origin }
    }

    /// Runs the outbox and the favourites while a body runs.
    func run(_ body: () async throws -> Void) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await self.outbox.run() }
            group.addTask { await self.favourites.run() }
            try await body()
            group.cancelAll()
        }
    }

    func set(_ isFavourite: Bool, _ id: DeliveryID, key: String, after seconds: Double = 0) async throws {
        guard let key = IdempotencyKey(rawValue: key) else { throw CancellationError() }
        try await favourites.set(isFavourite, of: id, key: key, at: Self.noon + seconds)
    }

    func store(_ ids: [Int]) async throws {
        _ = try await store.store(RecordPage(ids.map { Delivery(id: DeliveryID($0)) }, at: 0, generation: 1))
    }

    func displayedFavourite(_ id: DeliveryID) async throws -> Bool? { try await store.record(of: id)?.withLocalChanges.isFavourite }

    // MARK: Requests

    @discardableResult
    func send(_ method: HTTPRequest.Method, _ path: String) async throws -> String {
        guard let url = URL(string: path, relativeTo: address)?.absoluteURL else { throw CancellationError() }
        let response = try await BackendClient().response(to: RequestMessage(method: method, url: url))
        return String(decoding: response.body, as: UTF8.self)
    }

    func counts() async throws -> String { try await send(.get, "/-/counts") }

    func favourite(_ id: DeliveryID) async throws -> String { try await send(.get, "/v1/deliveries/\(id)/favourite") }
}
