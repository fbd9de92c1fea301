import ArgumentParser
import Foundation
import LadingOperations
import Orders

/// `lading orders`: all orders, printed.
struct OrdersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orders", abstract: "Print all orders.",
        discussion: "Rows that could not be loaded are printed with the reason; the exit code is then 1.")

    @OptionGroup var feed: FeedOptions
    @OptionGroup var retries: RetryOptions
    @OptionGroup var engine: EngineOptions

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if feed.deliveriesURL != nil { throw ValidationError("--deliveries-url is for deliveries.") }
    }

    func run() async throws {
        let (feed, options, retries, json) = (feed, engine, retries.count, json)
        try await Interruption.cancelling {
            try await Engine.with(options, retries: retries) { engine in
                let lines = try await OrderDownload(feed, engine).all()
                Terminal.output.write(json ? OrderLine.json(lines) : OrderTable(lines).text)
                let failures = lines.count { $0.error != nil }
                guard failures > 0 else { return }
                throw ProgramFailure(message: "\(failures) of \(lines.count) orders could not be loaded.")
            }
        }
    }
}
