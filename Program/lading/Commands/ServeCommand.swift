import ArgumentParser
import Foundation
import Logging
import Origin
import ServerStartup
import ServiceLifecycle

/// `lading serve`: runs the origin.
struct ServeCommand: AsyncParsableCommand, CrashReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve orders and deliveries of the demo city, and photos of Mars.",
        discussion: """
            Orders are at /swift-concurrency/orders.plist. Deliveries are at /deliveries?offset=0&limit=20, with favourites at \
            /v1/deliveries, and in a later format at /v2/deliveries; PUT /v1/deliveries/ID/favourite sets a favourite. \
            Photos are at /mars-photos/api/v1/rovers, and the raw images of Curiosity and Perseverance at the paths of \
            mars.nasa.gov. Uploads go to /uploads/NAME.
            """)

    @Option(parsing: .unconditional, help: "The port to listen on; 0 chooses a free port.")
    var port = FeedOptions.originPort

    @Option(help: "The address to listen on; 0.0.0.0 accepts connections from other machines.")
    var host = "127.0.0.1"

    @OptionGroup var hostOptions: HostOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var origin: OriginOptions
    @OptionGroup var simulation: SimulationOptions
    @OptionGroup var webhook: WebhookOptions
    @OptionGroup var crashes: CrashOptions

    func validate() throws {
        try address.validateAsOption()
        try webhook.validate(inMemory: origin.inMemory)
    }

    private var address: ListenAddress { ListenAddress(host: host, port: port) }

    var dataDirectory: URL? { origin.directory }

    func run() async throws {
        try await CrashMonitor.monitor(self, crashes) { _ in try await serve() }
    }

    private func serve() async throws {
        let logger = Logger(label: "lading")
        let (endpoints, announce) = AsyncStream<OriginServices.Endpoint>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let servers = try await OriginServices(
            origin, simulation, webhook, at: address, allowedHosts: hostOptions.hosts(listeningOn: address), clients: clients.limits,
            logger: logger
        ) {
            announce.yield($0)
        }
        let announcement = StartMessage(endpoints: endpoints, origin: servers.origin)
        try await SignalHandling.runUntilSignal(servers.group(with: [announcement], logger: logger))
    }
}

/// Prints the addresses once requests can be sent, and then the link of the first dispatcher.
private struct StartMessage: Service {
    let endpoints: AsyncStream<OriginServices.Endpoint>
    let origin: OriginServer

    func run() async throws {
        let list = "swift-concurrency/orders.plist"
        for await endpoint in endpoints.cancelOnGracefulShutdown() {
            Terminal.output.announce("The orders are served at \(endpoint.url.appending(path: list).absoluteString)\n")
            Terminal.output.announce("The deliveries are served at \(endpoint.firstDeliveriesPage.absoluteString)\n")
            Terminal.output.announce("The photos are served at \(endpoint.roversURL.absoluteString)\n")
            if let direct = endpoint.directURL {
                Terminal.output.announce("Without the link they are at \(direct.appending(path: list).absoluteString)\n")
            }
            await origin.announceFirstDispatcher(at: PeopleCommand.LinkOptions.defaultAddress)
        }
    }
}
