import ArgumentParser
import Foundation
import Logging
import Origin
import ServerStartup
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
    @OptionGroup var trouble: TroubleOptions

    func validate() throws {
        try address.validateAsOption()
    }

    private var address: ListenAddress { ListenAddress(host: host, port: port) }

    func run() async throws {
        let logger = Logger(label: "lading")
        let servers = try await OriginServices(origin, trouble, at: address, logger: logger) {
            let list = $0.url.appending(path: "swift-concurrency/orders.plist")
            Terminal.output.write("The orders are served at \(list.absoluteString)\n")
        }
        try await Interruption.serving(servers.group(logger: logger))
    }
}
