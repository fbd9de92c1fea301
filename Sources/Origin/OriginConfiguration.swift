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
    package var clientLimits: ClientLimits
    /// Whether any free port will do when the one given is in use.
    package var isPortOptional: Bool
    package var storage: Storage
    /// The number of orders in the demo city.
    package var orderCount: Int
    /// The number of deliveries in the demo city.
    package var deliveryCount: Int
    /// The same seed makes the same demo city, on every platform.
    package var seed: UInt64
    /// Which replies go wrong; none when nil.
    package var faults: FaultPlan?
    /// The longest file that can be uploaded, in bytes.
    package var uploadSizeLimit: Int
    /// The numbers of uploads that may be under way.
    package var uploadLimits: UploadLimits

    /// Unless told otherwise.
    package static let defaultUploadSizeLimit = 2 << 30
    package static let defaultDeliveryCount = 5_000
    package static var orderLimit: Int { DemoOrders.allowedCounts.upperBound }
    package static var deliveryLimit: Int { DemoDeliveries.allowedCounts.upperBound }

    /// - Parameter allowedHosts: nil for those that the address implies; an origin behind a link is reached by the names of the link.
    package init(
        address: ListenAddress = ListenAddress(port: 0),
        allowedHosts: AllowedHosts? = nil,
        clientLimits: ClientLimits = ClientLimits(),
        isPortOptional: Bool = false,
        storage: Storage,
        orderCount: Int = 400,
        deliveryCount: Int = OriginConfiguration.defaultDeliveryCount,
        seed: UInt64 = 1,
        faults: FaultPlan? = nil,
        uploadSizeLimit: Int = OriginConfiguration.defaultUploadSizeLimit,
        uploadLimits: UploadLimits = UploadLimits()
    ) {
        self.address = address
        self.allowedHosts = allowedHosts ?? AllowedHosts(listeningOn: address)
        self.clientLimits = clientLimits
        self.isPortOptional = isPortOptional
        self.storage = storage
        self.orderCount = orderCount
        self.deliveryCount = deliveryCount
        self.seed = seed
        self.faults = faults
        self.uploadSizeLimit = uploadSizeLimit
        self.uploadLimits = uploadLimits
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
        guard DemoOrders.allowedCounts.contains(orderCount) else {
            throw .outOfRange(option: "--orders", value: orderCount, allowed: DemoOrders.allowedCounts)
        }
        guard DemoDeliveries.allowedCounts.contains(deliveryCount) else {
            throw .outOfRange(option: "--deliveries", value: deliveryCount, allowed: DemoDeliveries.allowedCounts)
        }
    }
}
