import ArgumentParser
import Foundation
import Orders

/// `lading order ID`: prints an order.
struct OrderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order", abstract: "Print one order with its items.",
        discussion: "If items could not be loaded, prints the order, then the reason, with exit code 1.")

    @Argument(help: "The id of the order, as printed by \"lading orders\".")
    var id: Int

    @OptionGroup var feed: FeedOptions
    @OptionGroup var retries: RetryOptions
    @OptionGroup var engine: EngineOptions

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if feed.deliveriesURL != nil { throw ValidationError("--deliveries-url applies only to deliveries: remove it.") }
    }

    func run() async throws {
        let (feed, options, retries, json, id) = (feed, engine, retries.count, json, OrderID(id))
        try await SignalHandling.cancelOnInterrupt {
            try await Engine.with(options, retries: retries) { engine in
                let download = OrderDownload(feed, engine)
                let line = try await download.order(id)
                if json { Terminal.output.write(OrderLine.json(line)) }
                switch line {
                case .loaded(let order):
                    if !json { Terminal.output.write(OrderDetailText(order).text) }
                    try await download.requireItems(of: order)
                case .failed(let id, let reason): throw ProgramFailure(message: "order \(id) could not be loaded: \(reason)")
                }
            }
        }
    }
}
