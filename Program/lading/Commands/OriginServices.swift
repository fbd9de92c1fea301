import Foundation
import Logging
import OrderAPI
import Origin
import ServerSecurity
import ServerStartup
import ServiceLifecycle

/// An origin with its services: the link in front of it, the object store of its proofs, and the sender of its changes.
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
        let webhook = Webhook(webhook, in: options.directory)
        let contents = try await options.blobOptions.open()
        var configuration = options.configuration(address, isPortOptional: isPortOptional)
        configuration.allowedHosts = allowedHosts ?? AllowedHosts(listeningOn: address)
        configuration.clientLimits = clients
        configuration.faults = simulation.plan
        configuration.offersDemoPeople = offersDemoPeople
        configuration.api.webhook = webhook?.monitor
        configuration.proofContents = contents
        let linkedOrigin = try await LinkedOrigin(
            configuration, link: simulation.link, seed: simulation.seed, logger: logger, onListening: onListening)
        origin = linkedOrigin.origin
        // It begins before the first request can change anything.
        let sender = try await webhook?.service(origin.orderFeed, logger: logger)
        let services: [(any Service)?] = [contents.map(ProofContentsService.init), origin, linkedOrigin.link, sender]
        self.services = services.compactMap { $0 }
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
}
