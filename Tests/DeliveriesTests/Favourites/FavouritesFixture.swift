import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingOutbox
import LadingRecords
import LadingTesting
@testable import Deliveries

/// Favourites with a scripted network, and with a store and a journal that outlive them.
final class FavouritesFixture: Sendable {
    static let address = address(of: 7)
    static let list = DeliveryList(url: URL(string: "http://a.example/deliveries")!)
    static let referenceDate = Date(timeIntervalSince1970: 1_778_846_400)

    let executor: ScriptedExecutor
    let clock = ManualClock()
    let network = ManualConnectivity()
    let journal: MemoryOutboxJournal
    let store: MemoryRecordStore<Delivery>
    let outbox: Outbox
    let favourites: DeliveryFavourites

    /// - Parameter clearsOutbox: Whether the outbox loses its entries and receipts.
    init(after last: FavouritesFixture? = nil, clearsOutbox: Bool = false, limits: OutboxLimits = OutboxLimits()) async throws {
        executor = last?.executor ?? ScriptedExecutor()
        journal = clearsOutbox ? MemoryOutboxJournal() : last?.journal ?? MemoryOutboxJournal()
        store = last?.store ?? MemoryRecordStore<Delivery>()
        outbox = try await Outbox(
            client: BackendClient(executor: executor, clock: clock), queue: BackendQueue(clock: clock), journal: journal,
            connectivity: network, limits: limits, clock: clock, now: { Self.referenceDate }, jitter: { 0.5 })
        favourites = DeliveryFavourites(of: Self.list, in: store, outbox: outbox)
    }

    /// Returns the URL of the favourite mark of a delivery.
    static func address(of number: Int) -> String { "http://a.example/v1/deliveries/\(number)/favourite" }

    /// Runs the outbox and the favourites during a closure.
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

    func set(_ isFavourite: Bool, _ key: String, after seconds: Double = 0) async throws -> OutboxStatus? {
        try await favourites.set(isFavourite, of: "7", key: IdempotencyKey(rawValue: key)!, at: Self.referenceDate + seconds)
    }

    /// Stores delivery 7 as a refresh of the list would.
    ///
    /// - Parameter isFavourite: The mark in the document; nil when it does not mention favourites.
    func store(_ isFavourite: Bool?, generation: Int) async throws {
        _ = try await store.store(RecordPage([Delivery(id: "7", isFavourite: isFavourite)], at: 0, generation: generation))
    }

    /// Whether delivery 7 is shown as a favourite.
    var isShownAsFavourite: Bool? { get async throws { try await store.record(of: "7")?.withLocalChanges.isFavourite } }

    /// The unacknowledged rejection of delivery 7.
    var rejection: FavouriteRejection? { get async throws { try await store.record(of: "7")?.unacknowledgedRejection } }

    /// Whether the local mark of delivery 7 is set; nil without one.
    var localFavourite: Bool? { get async throws { try await store.record(of: "7")?.localFavourite?.isFavourite } }

    /// Waits until delivery 7 has a local mark.
    func waitUntil(_ mark: LocalFavourite) async throws {
        let changes = store.changes().makeAsyncIterator()
        repeat {
            if try await store.record(of: "7")?.localFavourite == mark { return }
        } while await changes.next() != nil
        throw CancellationError()
    }

    /// Waits until delivery 7 has the given local mark and, if specified, the given confirmation state.
    func waitUntil(localFavourite isFavourite: Bool?, isConfirmed: Bool? = nil) async throws {
        let changes = store.changes().makeAsyncIterator()
        repeat {
            let record = try await store.record(of: "7")
            let matchesConfirmation = isConfirmed.map { $0 == (record?.confirmedFavourite != nil) } ?? true
            if record?.localFavourite?.isFavourite == isFavourite, matchesConfirmation { return }
        } while await changes.next() != nil
        throw CancellationError()
    }
}
