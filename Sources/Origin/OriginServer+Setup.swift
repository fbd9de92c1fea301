import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

extension OriginServer {
    /// How long a connection may stay open without a request.
    private static let idleTimeout = TimeAmount.seconds(60)

    static func openStorage(
        _ storage: OriginConfiguration.Storage
    ) throws(OriginError) -> (OrderDatabase, DirectoryLock?) {
        switch storage {
        case .inMemory:
            return (try OrderDatabase(), nil)
        case .directory(let directory):
            let lock: DirectoryLock
            do {
                lock = try DirectoryLock(of: directory, fileName: "origin.lock")
            } catch {
                throw .directoryUnavailable(error)
            }
            return (try OrderDatabase(in: directory), lock)
        }
    }

    static func application(
        serving orders: OrderRoutes,
        _ configuration: OriginConfiguration,
        logger: Logger,
        onListening: @escaping @Sendable (URL) async -> Void
    ) -> Application<RouterResponder<BasicRequestContext>> {
        Application(
            router: router(serving: orders),
            server: .http1(configuration: .init(idleTimeout: idleTimeout)),
            configuration: .init(address: .hostname(configuration.host, port: configuration.port)),
            onServerRunning: { channel in
                let bound = channel.localAddress
                await onListening(
                    baseURL(host: bound?.ipAddress ?? configuration.host, port: bound?.port ?? configuration.port)
                )
            },
            logger: logger
        )
    }

    private static func router(serving orders: OrderRoutes) -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: PlainAnswers())
        router.get("health") { _, _ in "ok" }
        orders.add(to: router)
        return router
    }

    /// Where a program on this machine reaches the server; an address that stands for all is no destination.
    static func baseURL(host: String, port: Int) -> URL {
        var components = URLComponents()
        components.scheme = "http"
        components.host =
            switch host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "[::1]"
            default: host.contains(":") ? "[\(host)]" : host
            }
        components.port = port
        guard let url = components.url else { preconditionFailure("No URL leads to \(host), port \(port).") }
        return url
    }
}

extension OriginError {
    /// What ended a server that was to listen on an address, in the terms of the one who started it.
    init(_ error: any Error, listeningOn configuration: OriginConfiguration) {
        let (host, port) = (configuration.host, configuration.port)
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE:
            self = .portInUse(host: host, port: port)
        case let error as IOError:
            let cause = POSIXErrorCode(rawValue: error.errnoCode).map { POSIXError($0) }
            self = .addressUnavailable(host: host, port: port, cause: cause ?? error)
        case is SocketAddressError, is SocketAddressError.UnknownHost:
            self = .addressUnavailable(host: host, port: port, cause: error)
        default:
            self = .stopped(cause: error)
        }
    }
}
