package import struct Foundation.URL
package import OrderAPI
package import OrderLifecycle
package import OrderStorage
package import ServerSecurity
package import ServerStartup

/// The address, storage, demo data and limits of an origin.
package struct OriginConfiguration: Sendable {
    /// The storage of an origin's data.
    package enum Storage: Sendable {
        /// A directory that is created when missing and locked while the origin runs.
        case directory(URL)
        /// Memory: nothing outlives the process.
        case inMemory

        /// The directory; nil in memory.
        var directory: URL? {
            if case .directory(let directory) = self { directory } else { nil }
        }
    }

    package var address: ListenAddress
    package var allowedHosts: AllowedHosts
    /// The connection limits of each client, and the trusted proxies.
    package var clientLimits: ClientLimits
    /// Whether any free port is acceptable when the given one is in use.
    package var isPortOptional: Bool
    package var storage: Storage
    /// The address of a PostgreSQL database that origins share; nil for the database of the data directory.
    package var sharedDatabase: String?
    /// The store of the bytes of proofs of a shared database; nil for the database.
    package var proofContents: (any ProofContentStore)?
    /// The number of orders in the demo city; nil for that of the last start, at the first one `defaultOrderCount`.
    package var orderCount: Int?
    /// The number of deliveries in the demo city.
    package var deliveryCount: Int
    /// The seed of the demo city: equal seeds produce the same city on every platform.
    package var seed: UInt64
    /// The faults injected into responses; none when nil.
    package var faults: FaultPlan?
    /// The maximum size of an uploaded file, in bytes.
    package var uploadSizeLimit: Int
    /// The limits on concurrent uploads and on the space of all.
    package var uploadLimits: UploadLimits
    /// The durations and limits of the API of the orders.
    package var api = OrderAPI.Settings()
    /// Whether everybody who can connect may sign in as one of the demo's people.
    package var offersDemoPeople: Bool {
        get { api.hasDemoPeople }
        set { api.hasDemoPeople = newValue }
    }
    /// Whether everybody may read orders other than the demo's in the documents of the order service.
    package var hasPublicOrders = false
    /// The durations and counts of the life of an order.
    package var lifecycleLimits = LifecycleLimits()

    /// The default maximum size of an uploaded file, in bytes.
    package static let defaultUploadSizeLimit = 2 << 30
    package static let defaultOrderCount = 400
    package static let defaultDeliveryCount = 5_000
    package static var orderLimit: Int { DemoOrders.allowedCounts.upperBound }
    package static var deliveryLimit: Int { DemoDeliveries.allowedCounts.upperBound }

    /// Creates a configuration.
    ///
    /// - Parameter allowedHosts: Nil for those that the address implies; an origin behind a link is reached by the names of the link.
    package init(
        address: ListenAddress = ListenAddress(port: 0),
        allowedHosts: AllowedHosts? = nil,
        clientLimits: ClientLimits = ClientLimits(),
        isPortOptional: Bool = false,
        storage: Storage,
        orderCount: Int? = nil,
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
    /// Sets the duration of claims, and the durations for which proofs and names are kept.
    package mutating func setOrderLimits(leaseMinutes: Double, proofDays: Int, peopleDays: Int, retainsPhotoLocations: Bool) {
        lifecycleLimits.lease = .milliseconds(Int64(leaseMinutes * 60_000))
        api.retention = OrderRetention(proofs: .seconds(proofDays * 86_400), people: .seconds(peopleDays * 86_400))
        api.retainsPhotoLocations = retainsPhotoLocations
    }

    /// Checks the values before anything is opened.
    ///
    /// - Throws: `OriginError` when the address or a count is invalid.
    func validate() throws(OriginError) {
        do {
            try address.validate()
        } catch {
            throw .startup(error)
        }
        if let orderCount, !DemoOrders.allowedCounts.contains(orderCount) {
            throw .outOfRange(option: "--orders", value: orderCount, allowed: DemoOrders.allowedCounts)
        }
        guard DemoDeliveries.allowedCounts.contains(deliveryCount) else {
            throw .outOfRange(option: "--deliveries", value: deliveryCount, allowed: DemoDeliveries.allowedCounts)
        }
    }
}
