import ArgumentParser
import Deliveries
import Foundation
import LadingFeeds

/// `lading deliveries`: fetches, stores and prints deliveries.
struct DeliveriesCommand: AsyncParsableCommand, DataDirectoryCommand {
    /// The maximum number of deliveries to fetch.
    private static let countLimit = 1_000_000

    static let configuration = CommandConfiguration(
        commandName: "deliveries", abstract: "Print deliveries, and keep them to be read without a network.",
        discussion: """
            Fetches the first deliveries of the list and prints them. With --search, --sort or --near it prints all that are found among those ever stored. \
            When the server fails, what is stored is printed, then the reason; the exit code is then 1.
            """)

    @Option(
        parsing: .unconditional,
        help: "How many deliveries to fetch (default: \(DeliveryRun.defaultCount)); with --offline, how many to print (default: all).")
    var count: Int?

    @Flag(help: "Ask no server: print what is stored.")
    var offline = false

    @Option(help: ArgumentHelp("Words, each of which must occur in a delivery.", valueName: "text"))
    var search: String?

    @Option(help: ArgumentHelp("What to sort by: \(DeliverySort.keys).", valueName: "key"), transform: DeliverySort.init(argument:))
    var sort: DeliverySort?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Sort by the distance from here.", valueName: "lat,lng"),
        transform: GeographicPoint.init(argument:))
    var near: GeographicPoint?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("Where deliveries are kept (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    @OptionGroup var feed: FeedOptions
    @OptionGroup var retries: RetryOptions
    @OptionGroup var engine: EngineOptions

    func validate() throws {
        if let count, !(1...Self.countLimit).contains(count) {
            throw ValidationError("--count takes a number from 1 to \(Self.countLimit).")
        }
        if sort == .nearest, near == nil { throw ValidationError("--sort nearest needs --near.") }
        if let sort, sort != .nearest, near != nil { throw ValidationError("--near sorts by distance: leave out --sort \(sort.rawValue).") }
        if feed.ordersURL != nil || feed.itemsURL != nil { throw ValidationError("--orders-url and --items-url are for orders.") }
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
        guard let sort = Self(rawValue: text) else { throw ValidationError("deliveries are sorted by \(Self.keys)") }
        self = sort
    }
}
