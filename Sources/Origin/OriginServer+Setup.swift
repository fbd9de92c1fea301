import Foundation
import Hummingbird
import Logging
import NIOCore
import ServerStartup

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

    /// The uploaded files, beside the database, or for as long as the process lives.
    static func openUploads(_ configuration: OriginConfiguration, now: @escaping @Sendable () -> Date) throws(OriginError) -> UploadStore {
        let (directory, isTemporary) =
            switch configuration.storage {
            case .inMemory: (FileManager.default.temporaryDirectory.appending(path: "lading-uploads-\(UUID().uuidString)"), true)
            case .directory(let directory): (directory.appending(path: "uploads"), false)
            }
        do {
            return try UploadStore(
                in: directory, isTemporary: isTemporary, sizeLimit: configuration.uploadLimit, boot: MachineStart.current, now: now)
        } catch {
            throw .directoryUnavailable(.unusable(directory, cause: error))
        }
    }

    static func application(
        _ router: Router<BasicRequestContext>,
        _ configuration: OriginConfiguration,
        tally: RequestTally,
        logger: Logger,
        onListening: @escaping @Sendable (URL) async -> Void
    ) -> Application<RouterResponder<BasicRequestContext>> {
        Application(
            router: router,
            server: .http1(configuration: .init(additionalChannelHandlers: [RequestCounter(tally)], idleTimeout: idleTimeout)),
            configuration: .init(address: .hostname(configuration.address.host, port: configuration.address.port)),
            onServerRunning: { channel in
                await onListening(configuration.address.baseURL(boundTo: channel.localAddress?.port))
            },
            logger: logger
        )
    }

    /// Only the documents of the service go wrong.
    static func router(
        serving orders: OrderRoutes, uploads: UploadRoutes, tally: RequestTally, faults: FaultInjection?
    ) -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(
            middleware: PlainAnswers { path in
                path == CountRoutes.path ? [.get, .head, .delete] : UploadRoutes.methods(at: path)
            })
        router.get("health") { _, _ in "ok" }
        CountRoutes(tally: tally).add(to: router)
        let documents = router.group()
        if let faults { documents.add(middleware: faults) }
        orders.add(to: documents)
        uploads.add(to: documents)
        return router
    }
}

extension OriginError {
    /// What ended a server that was to listen on an address, in the terms of the one who started it.
    init(_ error: any Error, listeningOn address: ListenAddress) {
        self = StartupError(error, listeningOn: address).map { .startup($0) } ?? .stopped(cause: error)
    }
}
