import Foundation
import Logging
import Origin
import ServerSecurity
import ServerStartup
import ServiceLifecycle

/// The origin, and in front of it the link that it is to be reached across.
struct OriginServices {
    /// Where an origin is reached.
    struct Endpoint: Sendable {
        let url: URL
        /// Where it is reached without the link; nil when there is none.
        var directURL: URL?

        /// The first page of deliveries.
        var firstDeliveriesPage: URL {
            let page = [URLQueryItem(name: "offset", value: "0"), URLQueryItem(name: "limit", value: "20")]
            return url.appending(path: "deliveries").appending(queryItems: page)
        }

        /// The rovers that there are photos of.
        var roversURL: URL { url.appending(path: "mars-photos/api/v1/rovers") }
    }

    /// How long replies that are under way may take once the program is to end; then they are cut off.
    private static let shutdownLimit = Duration.seconds(10)

    /// In the order in which they start.
    private let services: [any Service]

    /// - Parameters:
    ///   - allowedHosts: The hosts that the origin answers to, also through the link; nil for those that the address implies.
    ///   - clients: The connections that one client may have: to the link where there is one, since all connections behind it are its own.
    ///   - onListening: Called once, when requests can be sent.
    init(
        _ options: OriginOptions, _ trouble: SimulationOptions, at address: ListenAddress, allowedHosts: AllowedHosts? = nil,
        clients: ClientLimits, isPortOptional: Bool = false, logger: Logger,
        onListening: @escaping @Sendable (Endpoint) -> Void
    ) async throws {
        let progressBar = PopulationProgressBar()
        let hosts = allowedHosts ?? AllowedHosts(listeningOn: address)
        guard let profile = trouble.link else {
            var configuration = options.configuration(address, isPortOptional: isPortOptional)
            configuration.allowedHosts = hosts
            configuration.clientLimits = clients
            configuration.faults = trouble.plan
            services = [
                try await OriginServer(
                    configuration, logger: logger, now: { Date() }, onPopulationProgress: progressBar.update, onFullDisk: Self.reportFullDisk
                ) {
                    onListening(Endpoint(url: $0))
                }
            ]
            return
        }
        var configuration = options.configuration(ListenAddress(port: 0))
        configuration.allowedHosts = hosts
        // The link is the only client that the origin sees.
        configuration.clientLimits = ClientLimits(connections: nil)
        configuration.uploadLimits.perClient = nil
        configuration.faults = trouble.plan
        let (origins, announce) = AsyncStream<URL>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let origin = try await OriginServer(
            configuration, logger: logger, now: { Date() }, onPopulationProgress: progressBar.update, onFullDisk: Self.reportFullDisk
        ) {
            announce.yield($0)
        }
        let link = DeferredLink(origins: origins) { direct in
            LinkConditioner(
                profile, to: direct, listeningOn: address, isPortOptional: isPortOptional, clients: clients, seed: trouble.seed
            ) {
                onListening(Endpoint(url: $0, directURL: direct))
            }
        }
        services = [origin, link]
    }

    private static func reportFullDisk(_ directory: URL) {
        Terminal.error.reportFullDisk(directory, lost: "favourites and uploads are not stored")
    }

    /// These and further services, each of which needs those before it.
    ///
    /// One that cannot start lets the others finish in order: cut off in the middle of its start, the origin's server would trap.
    func group(with others: [any Service] = [], logger: Logger) -> ServiceGroup {
        let services = (services + others).map {
            ServiceGroupConfiguration.ServiceConfiguration(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)
        }
        var configuration = ServiceGroupConfiguration(services: services, logger: logger)
        configuration.maximumGracefulShutdownDuration = Self.shutdownLimit
        return ServiceGroup(configuration: configuration)
    }

    /// A link to an origin in the same program: it is laid as soon as it is known where that one listens.
    private struct DeferredLink: Service {
        let origins: AsyncStream<URL>
        let link: @Sendable (URL) -> LinkConditioner

        func run() async throws {
            guard let origin = await origins.cancelOnGracefulShutdown().first(where: { _ in true }) else { return }
            try await link(origin).run()
        }
    }
}
