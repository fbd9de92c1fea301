import Foundation
import HTTPTypes
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting

@testable import Deliveries

/// Favourites over a scripted network, with a store and a journal that outlive them.
final class FavouriteStage: Sendable {
    static let address = "http://a.example/v1/deliveries/7/favourite"
    static let noon = Date(timeIntervalSince1970: 1_778_846_400)

    let executor: ScriptedExecutor
    let clock = ManualClock()
    let network = ManualConnectivity()
    let journal: MemoryOutboxJournal
    let store: MemoryRecordStore<Delivery>
    let outbox: Outbox
    let favourites: DeliveryFavourites

    /// - Parameter isForgetful: Whether the outbox has forgotten all that was sent.
    init(after last: FavouriteStage? = nil, isForgetful: Bool = false) async throws {
        executor = last?.executor ?? ScriptedExecutor()
        journal = isForgetful ? MemoryOutboxJournal() : last?.journal ?? MemoryOutboxJournal()
        store = last?.store ?? MemoryRecordStore<Delivery>()
        outbox = try await Outbox(
            client: BackendClient(executor: executor, clock: clock), queue: BackendQueue(clock: clock), journal: journal,
            connectivity: network, clock: clock, now: { Self.noon }, luck: { 0.5 })
        favourites = DeliveryFavourites(of: DeliveryList(url: URL(string: "http://a.example/deliveries")!), in: store, through: outbox)
    }

    /// Runs the outbox and the favourites while a body runs.
    func run<Value: Sendable>(sending: Bool = true, _ body: () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if sending { group.addTask { await self.outbox.run() } }
            group.addTask { await self.favourites.run() }
            let value = try await body()
            group.cancelAll()
            try await group.waitForAll()
            return value
        }
    }

    func set(_ isFavourite: Bool, _ key: String, after seconds: Double = 0) async throws -> OutboxStanding? {
        try await favourites.set(isFavourite, of: "7", key: IdempotencyKey(rawValue: key)!, at: Self.noon + seconds)
    }

    /// - Parameter isFavourite: nil for a document that does not mention favourites.
    func store(_ isFavourite: Bool?, generation: Int) async throws {
        _ = try await store.store(RecordPage([Delivery(id: "7", isFavourite: isFavourite)], at: 0, generation: generation))
    }

    /// What is shown of delivery 7.
    var shown: Bool? { get async throws { try await store.record(of: "7")?.shown.isFavourite } }

    /// The refusal that no reader has been shown.
    var refusal: FavouriteRefusal? { get async throws { try await store.record(of: "7")?.unseenRefusal } }

    /// What lies over it.
    var mark: Bool? { get async throws { try await store.record(of: "7")?.favouriteMark?.isFavourite } }

    /// Waits until the mark of delivery 7 is this.
    func until(_ mark: FavouriteMark) async throws {
        let changes = store.changes().makeAsyncIterator()
        repeat {
            if try await store.record(of: "7")?.favouriteMark == mark { return }
        } while await changes.next() != nil
        throw CancellationError()
    }

    /// Waits until what lies over delivery 7 is this.
    func until(mark isFavourite: Bool?, taken: Bool? = nil) async throws {
        let changes = store.changes().makeAsyncIterator()
        repeat {
            let record = try await store.record(of: "7")
            let isTaken = taken.map { $0 == (record?.takenFavourite != nil) } ?? true
            if record?.favouriteMark?.isFavourite == isFavourite, isTaken { return }
        } while await changes.next() != nil
        throw CancellationError()
    }
}
