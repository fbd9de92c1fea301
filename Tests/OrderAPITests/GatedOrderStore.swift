import LadingTesting
import OrderStorage
import OrderStorageConformance
import Synchronization

/// A store whose first read of the end of the feed waits at a gate.
final class GatedOrderStore: OrderStoreWrapper {
    let gate = Gate()
    let store: any OrderStore
    private let reads = Mutex(0)

    init(_ store: any OrderStore) {
        self.store = store
    }

    /// The number of reads of the end of the feed.
    var positionReads: Int { reads.withLock(\.self) }

    func position() async throws -> ChangePosition {
        let number = reads.withLock { reads in
            reads += 1
            return reads
        }
        if number == 1 { try await gate.wait() }
        return try await store.position()
    }
}
