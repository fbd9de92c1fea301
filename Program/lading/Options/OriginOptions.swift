import ArgumentParser
import Foundation
import Origin
import ServerStartup

/// The demo data, storage and limits of the origin.
struct OriginOptions: ParsableArguments {
    @Option(
        name: .customLong("orders"), parsing: .unconditional,
        help: """
            The number of orders in the demo city, at most \(OriginConfiguration.orderLimit) (default: that of the last start, at first \
            \(OriginConfiguration.defaultOrderCount)). Another number replaces the demo's orders that nobody has claimed or changed; 0 \
            removes them. A server with --database has none and refuses the option.
            """)
    var orderCount: Int?

    @Option(
        name: .customLong("deliveries"), parsing: .unconditional,
        help: """
            The number of deliveries in the demo city, at most \(OriginConfiguration.deliveryLimit) \
            (default: \(OriginConfiguration.defaultDeliveryCount)). They are generated once and stored.
            """)
    var deliveryCount: Int?

    @Option(parsing: .unconditional, help: "The seed of the demo city (default: \(Self.defaultSeed)).")
    var seed: UInt64?

    @Option(help: ArgumentHelp("The data directory (default: \(Self.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    @OptionGroup var shared: SharedDatabaseOptions
    @OptionGroup var blobOptions: BlobOptions

    @Flag(help: "Store nothing on disk.")
    var inMemory = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum size of an upload, in bytes (default: \(OriginConfiguration.defaultUploadSizeLimit)).", valueName: "bytes")
    )
    var uploadLimit: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of active uploads (default: \(UploadLimits.defaultTotal)).", valueName: "n"))
    var uploads: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            The maximum number of active uploads per client, an IPv4 address or an IPv6 /64 (default: \(UploadLimits.defaultPerClient)). \
            With --link, all clients count as one.
            """,
            valueName: "n"))
    var uploadsPerClient: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum size of all uploaded files together, in bytes (default: \(UploadLimits.defaultSpace)).", valueName: "bytes"))
    var uploadSpace: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            The number of minutes after which a claimed order that was not picked up is open again (default: \(Self.defaultLease)). Each \
            position that the courier reports, and a repeated claim, start them again.
            """,
            valueName: "minutes"))
    var lease: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The number of days for which photos and other proofs are kept (default: \(Self.defaultProofDays)).", valueName: "days"))
    var keepProofs: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The number of days for which the names of revoked people are kept (default: \(Self.defaultPeopleDays)).", valueName: "days"))
    var keepPeople: Int?

    @Flag(help: "Let everybody who can connect read all open orders, not only the demo's, in the documents of the order service.")
    var publicOrders = false

    @Flag(help: "Store the location that a camera writes into photos.")
    var keepPhotoLocations = false

    func validate() throws {
        if let lease, !(0.01...10_080).contains(lease) { throw ValidationError("--lease must be from 0.01 to 10080 minutes.") }
        if let keepProofs, !(1...36_500).contains(keepProofs) { throw ValidationError("--keep-proofs must be from 1 to 36500 days.") }
        if let keepPeople, !(0...36_500).contains(keepPeople) { throw ValidationError("--keep-people must be from 0 to 36500 days.") }
        if let uploadLimit, uploadLimit < 0 { throw ValidationError("--upload-limit must not be negative.") }
        if let uploadSpace, uploadSpace < 0 { throw ValidationError("--upload-space must not be negative.") }
        if let uploads, uploads < 1 { throw ValidationError("--uploads must be at least 1.") }
        if let uploadsPerClient, uploadsPerClient < 1 { throw ValidationError("--uploads-per-client must be at least 1.") }
        if let deliveryCount, !(0...OriginConfiguration.deliveryLimit).contains(deliveryCount) {
            throw ValidationError("--deliveries must be from 0 to \(OriginConfiguration.deliveryLimit).")
        }
        if let orderCount, !(0...OriginConfiguration.orderLimit).contains(orderCount) {
            throw ValidationError("--orders must be from 0 to \(OriginConfiguration.orderLimit).")
        }
        if shared.database != nil, orderCount != nil {
            throw ValidationError(
                "--orders is the number of the demo's orders, which a shared database does not have: remove it, or --database.")
        }
        try blobOptions.validate(withDatabase: shared.address)
        if inMemory, data != nil { throw ValidationError("--in-memory stores nothing on disk: remove --data.") }
        try Self.validate(data: data)
    }

    func configuration(_ address: ListenAddress, isPortOptional: Bool = false) -> OriginConfiguration {
        var configuration = OriginConfiguration(
            address: address, isPortOptional: isPortOptional, storage: storage,
            orderCount: shared.address == nil ? orderCount : 0,
            deliveryCount: deliveryCount ?? OriginConfiguration.defaultDeliveryCount, seed: citySeed,
            uploadSizeLimit: uploadLimit ?? OriginConfiguration.defaultUploadSizeLimit, uploadLimits: uploadLimits)
        configuration.hasPublicOrders = publicOrders
        configuration.sharedDatabase = shared.address
        configuration.setOrderLimits(
            leaseMinutes: lease ?? Double(Self.defaultLease), proofDays: keepProofs ?? Self.defaultProofDays,
            peopleDays: keepPeople ?? Self.defaultPeopleDays, retainsPhotoLocations: keepPhotoLocations)
        return configuration
    }

    /// The specified options, which have no effect where no origin is started.
    var specifiedOptions: [String] {
        [
            ("--database", shared.database != nil), ("--blobs", blobOptions.blobs != nil), ("--orders", orderCount != nil),
            ("--deliveries", deliveryCount != nil), ("--seed", seed != nil),
            ("--upload-limit", uploadLimit != nil), ("--uploads", uploads != nil), ("--uploads-per-client", uploadsPerClient != nil),
            ("--upload-space", uploadSpace != nil),
            ("--lease", lease != nil), ("--keep-proofs", keepProofs != nil), ("--keep-people", keepPeople != nil),
            ("--public-orders", publicOrders), ("--keep-photo-locations", keepPhotoLocations),
        ]
        .filter(\.1).map(\.0)
    }

    /// The seed of the demo city.
    var citySeed: UInt64 { seed ?? Self.defaultSeed }

    private var uploadLimits: UploadLimits {
        UploadLimits(
            total: uploads ?? UploadLimits.defaultTotal, perClient: uploadsPerClient ?? UploadLimits.defaultPerClient,
            space: uploadSpace ?? UploadLimits.defaultSpace)
    }

    /// The duration of a claim without `--lease`, in minutes.
    private static let defaultLease = 30
    /// The number of days without `--keep-proofs`.
    private static let defaultProofDays = 90
    /// The number of days without `--keep-people`.
    private static let defaultPeopleDays = 730

    /// The seed of the demo data without `--seed`.
    private static let defaultSeed: UInt64 = 1

    /// The data directory; nil when nothing is stored.
    var directory: URL? {
        inMemory ? nil : Self.directory(named: data)
    }

    private var storage: OriginConfiguration.Storage { directory.map { .directory($0) } ?? .inMemory }

    /// Refuses an empty `--data`, such as that of a variable that is not set: it would be the current directory.
    ///
    /// - Throws: `ValidationError`.
    static func validate(data: String?) throws {
        if data == "" { throw ValidationError("--data is empty: name a directory.") }
    }

    /// Returns the directory of `--data`, otherwise the default one.
    static func directory(named data: String?) -> URL {
        data.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? defaultDirectory
    }

    /// The user's data folder for this program.
    static var defaultDirectory: URL {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        let folder = fallbackDataFolder ?? folders.first ?? FileManager.default.temporaryDirectory
        return folder.appending(path: "lading", directoryHint: .isDirectory)
    }

    /// The user's data folder if no variable names it or the home folder; nil elsewhere.
    ///
    /// Foundation would invent a path in this case.
    private static var fallbackDataFolder: URL? {
        #if os(Linux)
            let environment = ProcessInfo.processInfo.environment
            guard ["XDG_DATA_HOME", "HOME"].allSatisfy({ environment[$0, default: ""].isEmpty }),
                let home = getpwuid(getuid())?.pointee.pw_dir
            else { return nil }
            return URL(filePath: String(cString: home), directoryHint: .isDirectory)
                .appending(path: ".local/share", directoryHint: .isDirectory)
        #else
            return nil
        #endif
    }
}
