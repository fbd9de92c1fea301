import Foundation
import LadingHTTP
import LadingOperations
import LadingTesting
import Logging
import ServerStartup

@testable import Window

extension WindowServer {
    /// A window whose orders come from an executor, as those of `a.org`; its time stands still.
    init(showing executor: ScriptedExecutor, on host: String = "127.0.0.1") throws {
        let board = OrderBoard(
            ordersURL: URL(string: "http://a.org/orders.plist")!, itemsURL: URL(string: "http://a.org/items.plist")!,
            client: BackendClient(executor: executor), queue: BackendQueue())
        try self.init(
            WindowConfiguration(address: ListenAddress(host: host, port: 0)), showing: board, logger: Logger(label: "test"),
            clock: ManualClock())
    }
}
