import ArgumentParser
import Foundation
import Logging
import Origin
import ServiceLifecycle

/// `lading serve`: the origin alone.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the orders of the demo city.")

    @Option(help: "The port to listen on; 0 takes any that is free.")
    var port = FeedOptions.originPort

    @Option(help: "The address to listen on; 0.0.0.0 lets other machines in.")
    var host = "127.0.0.1"

    @OptionGroup var origin: OriginOptions

    func validate() throws {
        if !(0...65_535).contains(port) { throw ValidationError("--port takes a number from 0 to 65535.") }
    }

    func run() async throws {
        let logger = Logger(label: "lading")
        let server = try await OriginServer(origin.configuration(host: host, port: port), logger: logger, now: { Date() }) {
            let list = $0.appending(path: "swift-concurrency/orders.plist")
            Terminal.output.write("The orders are served at \(list.absoluteString)\n")
        }
        try await Interruption.serving(ServiceGroup(services: [server], logger: logger))
    }
}
