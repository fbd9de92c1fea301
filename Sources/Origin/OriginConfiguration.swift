package import struct Foundation.URL

/// What an origin serves, where it keeps it, and the address it listens on.
package struct OriginConfiguration: Sendable {
    /// Where the data of an origin lives.
    package enum Storage: Sendable {
        /// A directory that is created when missing and locked while the origin runs.
        case directory(URL)
        /// Nothing outlives the process.
        case inMemory
    }

    package var host: String
    /// A TCP port; 0 lets the system choose one.
    package var port: Int
    package var storage: Storage
    /// The number of orders in the demo city.
    package var orders: Int
    /// The same seed makes the same demo city, on every platform.
    package var seed: UInt64

    package init(
        host: String = "127.0.0.1",
        port: Int = 0,
        storage: Storage,
        orders: Int = 400,
        seed: UInt64 = 1
    ) {
        self.host = host
        self.port = port
        self.storage = storage
        self.orders = orders
        self.seed = seed
    }
}

extension OriginConfiguration {
    private static let ports = 0...Int(UInt16.max)

    /// Refuses what no machine could do, before anything is opened.
    func validate() throws(OriginError) {
        guard Self.ports.contains(port) else {
            throw .outOfRange(option: "--port", value: port, allowed: Self.ports)
        }
        guard DemoOrders.allowedCounts.contains(orders) else {
            throw .outOfRange(option: "--orders", value: orders, allowed: DemoOrders.allowedCounts)
        }
    }
}
