import ArgumentParser
import Foundation
import LadingRecords
import Orders

/// `lading orders`: prints all orders.
struct OrdersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orders", abstract: "Print all orders.",
        discussion: """
            Orders that could not be loaded are printed with the reason, after all others with --search or --sort. The exit code is 1 \
            if an order or its items could not be loaded.
            """)

    @OptionGroup var feed: FeedOptions
    @OptionGroup var retries: RetryOptions
    @OptionGroup var engine: EngineOptions

    @Option(help: ArgumentHelp("Print only orders whose title or address contains all of these words.", valueName: "text"))
    var search: String?

    @Option(help: ArgumentHelp("The sort key: \(OrderSort.keys).", valueName: "key"), transform: OrderSort.init(argument:))
    var sort: OrderSort?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Sort by distance from here (default of --sort nearest: the middle of the region).", valueName: "lat,lng"),
        transform: GeographicPoint.init(argument:))
    var near: GeographicPoint?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if let sort, sort != .nearest, near != nil { throw ValidationError("--near sorts by distance: remove --sort \(sort.rawValue).") }
        if feed.deliveriesURL != nil { throw ValidationError("--deliveries-url applies only to deliveries: remove it.") }
    }

    func run() async throws {
        let (feed, options, retries, json) = (feed, engine, retries.count, json)
        let query = OrderQuery(search: search ?? "", sort: near == nil ? sort : .nearest, near: near)
        try await SignalHandling.cancelOnInterrupt {
            try await Engine.with(options, retries: retries) { engine in
                let download = OrderDownload(feed, engine)
                let lines = try await download.all()
                let matching = OrderLine.filteredAndSorted(lines, by: query)
                Terminal.output.write(
                    json ? OrderLine.json(matching) : OrderTable(matching, width: Terminal.output.tableWidth).text)
                try await Self.reportFailures(in: lines, download)
            }
        }
    }

    /// Reports orders and items that could not be loaded.
    ///
    /// - Throws: `ProgramFailure` when there are any.
    private static func reportFailures(in lines: [OrderLine], _ download: OrderDownload) async throws {
        let failures = lines.count { $0.error != nil }
        let orders = failures == 0 ? nil : "\(failures) of \(lines.count) orders could not be loaded"
        let items = try await download.missingItemsReason(in: lines)
        guard orders != nil || items != nil else { return }
        throw ProgramFailure(message: [orders, items].compactMap { $0 }.joined(separator: "; ") + (items == nil ? "." : ""))
    }
}

extension OrderSort {
    fileprivate static var keys: String { allCases.map(\.rawValue).joined(separator: ", ") }

    fileprivate init(argument text: String) throws {
        guard let sort = Self(rawValue: text) else { throw ValidationError("expected one of \(Self.keys)") }
        self = sort
    }
}
