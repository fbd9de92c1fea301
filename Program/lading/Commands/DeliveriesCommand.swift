import ArgumentParser
import Deliveries
import Foundation
import LadingRecords

/// `lading deliveries`: fetches, stores and prints deliveries.
struct DeliveriesCommand: AsyncParsableCommand, DataDirectoryCommand {
    /// The maximum number of deliveries to fetch.
    private static let countLimit = 1_000_000

    static let configuration = CommandConfiguration(
        commandName: "deliveries", abstract: "Print deliveries, and store them for offline use.",
        discussion: """
            Fetches and prints the first deliveries of the list. With --search, --sort or --near, prints all matches among the stored \
            deliveries. If the server fails, prints the stored deliveries, then the reason, with exit code 1; likewise if the disk is full.
            """)

    @Option(
        parsing: .unconditional,
        help: "The number of deliveries to fetch (default: \(DeliveryRun.defaultCount)) or, with --offline, to print (default: all).")
    var count: Int?

    @Flag(help: "Send no requests; print the stored deliveries.")
    var offline = false

    @Option(help: ArgumentHelp("Print only deliveries that contain all of these words.", valueName: "text"))
    var search: String?

    @Option(help: ArgumentHelp("The sort key: \(DeliverySort.keys).", valueName: "key"), transform: DeliverySort.init(argument:))
    var sort: DeliverySort?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Sort by distance from this position.", valueName: "lat,lng"),
        transform: GeographicPoint.init(argument:))
    var near: GeographicPoint?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("The data directory (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    @OptionGroup var feed: FeedOptions
    @OptionGroup var retries: RetryOptions
    @OptionGroup var engine: EngineOptions

    func validate() throws {
        try OriginOptions.validate(data: data)
        if let count, !(1...Self.countLimit).contains(count) {
            throw ValidationError("--count must be from 1 to \(Self.countLimit).")
        }
        if sort == .nearest, near == nil { throw ValidationError("--sort nearest requires --near.") }
        if let sort, sort != .nearest, near != nil { throw ValidationError("--near sorts by distance: remove --sort \(sort.rawValue).") }
        if feed.ordersURL != nil || feed.itemsURL != nil { throw ValidationError("remove --orders-url and --items-url.") }
    }

    var dataDirectory: URL? { directory }

    private var directory: URL { OriginOptions.directory(named: data) }

    func run() async throws {
        let (run, options, retries) = (deliveryRun, engine, retries.count)
        try await SignalHandling.cancelOnInterrupt {
            try await Engine.with(options, retries: retries) { try await run.perform($0) }
        }
    }

    private var deliveryRun: DeliveryRun {
        DeliveryRun(
            list: feed.deliveries(), directory: directory,
            query: RecordQuery(search: search ?? "", sort: near == nil ? sort : .nearest, near: near), count: count, isOffline: offline,
            isJSON: json, hint: feed.deliveriesHint)
    }
}

extension DeliverySort {
    fileprivate static var keys: String { allCases.map(\.rawValue).joined(separator: ", ") }

    fileprivate init(argument text: String) throws {
        guard let sort = Self(rawValue: text) else { throw ValidationError("expected one of \(Self.keys)") }
        self = sort
    }
}
