import Foundation
import Logging
import Origin
import ServerStartup
import ServiceLifecycle

/// An origin, and the link in front of it if one is simulated.
struct LinkedOrigin {
    let origin: OriginServer
    /// The link, which starts when the address of the origin is known; nil for none.
    let link: (any Service)?

    /// Creates the origin.
    ///
    /// - Parameters:
    ///   - configuration: The address and the limits of the origin, which are those of the link if there is one.
    ///   - profile: The profile of the link; nil for none.
    ///   - seed: The seed of the link's losses.
    ///   - onListening: Called once, when requests can be sent.
    init(
        _ configuration: OriginConfiguration, link profile: LinkProfile?, seed: UInt64, logger: Logger,
        onListening: @escaping @Sendable (OriginServices.Endpoint) -> Void
    ) async throws {
        guard let profile else {
            origin = try await Self.origin(configuration, logger) { onListening(OriginServices.Endpoint(url: $0)) }
            link = nil
            return
        }
        let (addresses, announce) = AsyncStream<URL>.makeStream(bufferingPolicy: .bufferingNewest(1))
        origin = try await Self.origin(configuration.behindLink, logger) { announce.yield($0) }
        link = DeferredLink(origins: addresses) { direct in
            LinkConditioner(
                profile, to: direct, listeningOn: configuration.address, isPortOptional: configuration.isPortOptional,
                clients: configuration.clientLimits, seed: seed
            ) {
                onListening(OriginServices.Endpoint(url: $0, directURL: direct))
            }
        }
    }

    private static func origin(
        _ configuration: OriginConfiguration, _ logger: Logger, onListening: @escaping @Sendable (URL) -> Void
    ) async throws -> OriginServer {
        try await OriginServer(
            configuration, logger: logger, now: { Date() }, onSetupProgress: SetupProgressBar().update, onFullDisk: reportFullDisk,
            onListening: onListening)
    }

    private static func reportFullDisk(_ directory: URL) {
        Terminal.error.reportFullDisk(directory, lost: "favourites and uploads are not stored")
    }

    /// A link to an origin in the same process.
    private struct DeferredLink: Service {
        let origins: AsyncStream<URL>
        let link: @Sendable (URL) -> LinkConditioner

        func run() async throws {
            guard let origin = await origins.cancelOnGracefulShutdown().first(where: { _ in true }) else { return }
            try await link(origin).run()
        }
    }
}

extension OriginConfiguration {
    /// The configuration behind a link, which is then the only client: on a free port, without limits for each client.
    fileprivate var behindLink: OriginConfiguration {
        var configuration = self
        configuration.address = ListenAddress(port: 0)
        configuration.clientLimits = ClientLimits(connections: nil)
        configuration.uploadLimits.perClient = nil
        return configuration
    }
}
