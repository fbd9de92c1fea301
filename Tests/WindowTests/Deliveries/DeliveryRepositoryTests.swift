import Foundation
import LadingHTTP
import LadingOperations
import LadingRecords
import LadingTesting
import Testing
@testable import Deliveries
@testable import Window

@Suite struct DeliveryRepositoryTests {
    @Test func `All pages share the reads of the store`() async throws {
        let store = CountingRecordStore(MemoryRecordStore<Delivery>())
        let repository = try await DeliveryRepository(store: store, BackendClient(executor: ScriptedExecutor()), BackendQueue()) {
            .distantPast
        }

        for _ in 0..<3 { _ = try await repository.store.records(RecordQuery(), from: .index(0), limit: 110) }

        #expect(store.readCount == 1)
    }
}
