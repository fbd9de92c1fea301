package import struct Foundation.URL
package import ServerSecurity
package import ServerStartup

/// What an origin serves, where it keeps it, and the address it listens on.
package struct OriginConfiguration: Sendable {
    /// Where the data of an origin lives.
    package enum Storage: Sendable {
        /// A directory that is created when missing and locked while the origin runs.
        case directory(URL)
        /// Nothing outlives the process.
        case inMemory

        /// The directory; nil in memory.
        var directory: URL? {
            if case .directory(let directory) = self { directory } else { nil }
        }
    }

    package var address: ListenAddress
    package var allowedHosts: AllowedHosts
    /// The most connections that one client may have, and the proxies that name clients.
    package var clients: ClientLimits
    /// Whether any free port will do when the one given is in use.
    package var isPortOptional: Bool
    package var storage: Storage
    /// The number of orders in the demo city.
    package var orders: Int
    /// The number of deliveries in the demo city.
    package var deliveries: Int
    /// The same seed makes the same demo city, on every platform.
    package var seed: UInt64
    /// Which replies go wrong; none when nil.
    package var faults: FaultPlan?
    /// The longest file that can be uploaded, in bytes.
    package var uploadLimit: Int
    /// The numbers of uploads that may be under way.
    package var uploads: UploadLimits

    /// Unless told otherwise.
    package static let uploadLimit = 2 << 30
    package static let deliveries = 5_000
    package static var orderLimit: Int { DemoOrders.allowedCounts.upperBound }
    package static var deliveryLimit: Int { DemoDeliveries.allowedCounts.upperBound }

    /// - Parameter allowedHosts: nil for those that the address implies; an origin behind a link is reached by the names of the link.
    package init(
        address: ListenAddress = ListenAddress(port: 0),
        allowedHosts: AllowedHosts? = nil,
        clients: ClientLimits = ClientLimits(),
        isPortOptional: Bool = false,
        storage: Storage,
        orders: Int = 400,
        deliveries: Int = OriginConfiguration.deliveries,
        seed: UInt64 = 1,
        faults: FaultPlan? = nil,
        uploadLimit: Int = OriginConfiguration.uploadLimit,
        uploads: UploadLimits = UploadLimits()
    ) {
        self.address = address
        self.allowedHosts = allowedHosts ?? AllowedHosts(listeningOn: address)
        self.clients = clients
        self.isPortOptional = isPortOptional
        self.storage = storage
        self.orders = orders
        self.deliveries = deliveries
        self.seed = seed
        self.faults = faults
        self.uploadLimit = uploadLimit
        self.uploads = uploads
    }
}

extension OriginConfiguration {
    /// Refuses what no machine could do, before anything is opened.
    func validate() throws(OriginError) {
        do {
            try address.validate()
        } catch {
            throw .startup(error)
        }
        guard DemoOrders.allowedCounts.contains(orders) else {
            throw .outOfRange(option: "--orders", value: orders, allowed: DemoOrders.allowedCounts)
        }
        guard DemoDeliveries.allowedCounts.contains(deliveries) else {
            throw .outOfRange(option: "--deliveries", value: deliveries, allowed: DemoDeliveries.allowedCounts)
        }
    }
}
