import Foundation
import Logging
import OrderAPI
import Origin
import ServerSecurity
import ServerStartup
import ServiceLifecycle

/// The origin and the optional link in front of it.
struct OriginServices {
    /// The addresses of a running origin.
    struct Endpoint: Sendable {
        let url: URL
        /// The address that bypasses the link; nil without a link.
        var directURL: URL?

        /// The URL of the first page of deliveries.
        var firstDeliveriesPage: URL {
            let page = [URLQueryItem(name: "offset", value: "0"), URLQueryItem(name: "limit", value: "20")]
            return url.appending(path: "deliveries").appending(queryItems: page)
        }

        /// The URL of the list of rovers.
        var roversURL: URL { url.appending(path: "mars-photos/api/v1/rovers") }
    }

    let origin: OriginServer
    /// The services in their order of start.
    private let services: [any Service]

    /// Creates the services.
    ///
    /// - Parameters:
    ///   - webhook: The URL that receives the changes of the orders.
    ///   - allowedHosts: The hosts that the origin accepts, also through the link; nil for those that the address implies.
    ///   - clients: The connection limits of each client; with a link they apply to the link, which is the origin's only client.
    ///   - offersDemoPeople: Whether everybody may sign in as one of the demo's people.
    ///   - onListening: Called once, when requests can be sent.
    init(
        _ options: OriginOptions, _ simulation: SimulationOptions, _ webhook: WebhookOptions, at address: ListenAddress,
        allowedHosts: AllowedHosts? = nil,
        clients: ClientLimits, isPortOptional: Bool = false, offersDemoPeople: Bool = false, logger: Logger,
        onListening: @escaping @Sendable (Endpoint) -> Void
    ) async throws {
        let webhook = try Webhook(webhook, in: options.directory)
        var configuration = options.configuration(address, isPortOptional: isPortOptional)
        configuration.allowedHosts = allowedHosts ?? AllowedHosts(listeningOn: address)
        configuration.clientLimits = clients
        configuration.faults = simulation.plan
        configuration.offersDemoPeople = offersDemoPeople
        configuration.api.webhook = webhook?.monitor
        let contents = try await options.blobOptions.open()
        configuration.proofContents = contents
        let (origins, announce) = AsyncStream<URL>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let link = simulation.link.map { profile in
            DeferredLink(origins: origins) { direct in
                LinkConditioner(
                    profile, to: direct, listeningOn: address, isPortOptional: isPortOptional, clients: clients, seed: simulation.seed
                ) {
                    onListening(Endpoint(url: $0, directURL: direct))
                }
            }
        }
        if link != nil {
            configuration.address = ListenAddress(port: 0)
            // The link is the only client of the origin.
            configuration.clientLimits = ClientLimits(connections: nil)
            configuration.uploadLimits.perClient = nil
        }
        origin = try await OriginServer(
            configuration, logger: logger, now: { Date() }, onSetupProgress: SetupProgressBar().update, onFullDisk: Self.reportFullDisk
        ) { url in
            if link == nil { onListening(Endpoint(url: url)) } else { announce.yield(url) }
        }
        // It begins before the first request can change anything.
        let sender = try await webhook?.service(origin.orderFeed, logger: logger)
        services = [contents.map(ProofContentsService.init)].compactMap { $0 } + [origin] + [link, sender].compactMap { $0 }
    }

    private static func reportFullDisk(_ directory: URL) {
        Terminal.error.reportFullDisk(directory, lost: "favourites and uploads are not stored")
    }

    /// Returns a group of these and further services, each of which depends on those before it.
    ///
    /// A service that fails to start shuts the others down gracefully: cancelled during its start, the origin's server would trap.
    func group(with others: [any Service] = [], logger: Logger) -> ServiceGroup {
        let services = (services + others).map {
            ServiceGroupConfiguration.ServiceConfiguration(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)
        }
        var configuration = ServiceGroupConfiguration(services: services, logger: logger)
        configuration.maximumGracefulShutdownDuration = SignalHandling.shutdownLimit
        return ServiceGroup(configuration: configuration)
    }

    /// The connections to an object store, which are closed after the origin has ended.
    private struct ProofContentsService: Service {
        let contents: ObjectStoreProofs

        func run() async throws {
            try? await gracefulShutdown()
            await contents.shutDown()
        }
    }

    /// A link to an origin in the same process, started when the origin's address is known.
    private struct DeferredLink: Service {
        let origins: AsyncStream<URL>
        let link: @Sendable (URL) -> LinkConditioner

        func run() async throws {
            guard let origin = await origins.cancelOnGracefulShutdown().first(where: { _ in true }) else { return }
            try await link(origin).run()
        }
    }
}
