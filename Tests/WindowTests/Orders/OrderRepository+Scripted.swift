import Foundation
import LadingHTTP
import LadingOperations
import LadingTesting

@testable import Window

extension OrderRepository {
    /// Creates a repository of the orders and items at `http://a.org`, at 1,000 seconds since 1970.
    init(backend: ScriptedExecutor, executor: ManualTaskExecutor) {
        self.init(
            ordersURL: URL(string: "http://a.org/orders.plist")!, itemsURL: URL(string: "http://a.org/items.plist")!,
            client: BackendClient(executor: backend), queue: BackendQueue(executor: executor),
            now: { Date(timeIntervalSince1970: 1_000) })
    }
}
