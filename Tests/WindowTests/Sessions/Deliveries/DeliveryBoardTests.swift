import Foundation
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing

@testable import Deliveries
@testable import Window

@Suite struct DeliveryBoardTests {
    @Test func `All pages share what is read of the store`() async throws {
        let store = CountingRecordStore(MemoryRecordStore<Delivery>())
        let board = try await DeliveryBoard(scripted: store, BackendClient(executor: ScriptedExecutor()), BackendQueue()) { .distantPast }

        for _ in 0..<3 { _ = try await board.store.records(RecordQuery(), from: .index(0), limit: 110) }

        #expect(store.readCount == 1)
    }
}
