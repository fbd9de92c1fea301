import Deliveries
import Foundation
import HTTPTypes
import LadingConformance
import LadingHTTP
import LadingJournals
import LadingOperations
import LadingOutbox
import LadingSQLite
import LadingTesting
import Testing

func send(
    _ json: [UInt8], to url: URL, key: IdempotencyKey, at moment: Date, in directory: URL, as user: String, _ client: BackendClient,
    _ queue: BackendQueue
) async throws {
    // block 1
}

func mark(
    _ id: DeliveryID, of list: DeliveryList, in store: SQLiteRecordStore<Delivery>, through outbox: Outbox, key: IdempotencyKey,
    at moment: Date, report: (FavouriteRejection) -> Void
) async throws {
    // block 2
    print(status as Any)
}

// test block 3

/// The outbox journal of a client.
nonisolated struct MyOutboxJournal: OutboxJournal {
    private let journal = MemoryOutboxJournal()

    func contents(of partition: String) async throws -> OutboxContents { try await journal.contents(of: partition) }
    func add(_ entry: OutboxEntry) async throws -> OutboxInsertResult { try await journal.add(entry) }
    func update(_ entry: OutboxEntry) async throws { try await journal.update(entry) }
    func replaceEntry(with receipt: OutboxReceipt, retaining limit: Int) async throws {
        try await journal.replaceEntry(with: receipt, retaining: limit)
    }
}
