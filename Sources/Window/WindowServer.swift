package import Foundation
import Hummingbird
import HummingbirdCore
import LadingOperations
package import Logging
import NIOCore
import ServiceLifecycle

/// The web page as a view of Swift controllers: serves the pages of the apps until its service group shuts down.
package struct WindowServer: Service {
    /// How long a connection may stay open without a request.
    private static let idleTimeout = TimeAmount.seconds(60)

    let application: Application<RouterResponder<WindowContext>>
    private let configuration: WindowConfiguration
    private let board: OrderBoard

    /// - Parameters:
    ///   - board: What the pages show.
    ///   - clock: Measures how long a page waits for its rows.
    ///   - makeID: Makes the ids of open pages; whoever guesses one can read that page's rows.
    ///   - onListening: Called once with the base URL, the port that was bound in it, when requests can be sent.
    package init(
        _ configuration: WindowConfiguration, showing board: OrderBoard, logger: Logger,
        clock: any Clock<Duration> = ContinuousClock(),
        makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() },
        onListening: @escaping @Sendable (URL) async -> Void = { _ in }
    ) throws(WindowError) {
        self.configuration = configuration
        self.board = board
        let sessions = WindowSessions(clock: clock, makeID: makeID)
        let router = try Self.router(showing: board, sessions: sessions, clock: clock)
        application = Application(
            router: router,
            server: .http1(configuration: .init(idleTimeout: Self.idleTimeout)),
            configuration: .init(address: .hostname(configuration.host, port: configuration.port)),
            services: [sessions],
            onServerRunning: { channel in
                await onListening(configuration.baseURL(boundTo: channel.localAddress?.port))
            },
            logger: logger)
    }

    /// Serves until graceful shutdown, then cancels what is still being loaded.
    ///
    /// - Throws: `WindowError`
    package func run() async throws {
        let preloading = Task { await board.preload() }
        defer {
            preloading.cancel()
            board.queue.cancelAll()
        }
        do {
            try await application.run()
        } catch {
            throw WindowError(error, listeningOn: configuration)
        }
    }
}

extension WindowServer {
    private static func router(
        showing board: OrderBoard, sessions: WindowSessions, clock: any Clock<Duration>
    ) throws(WindowError) -> Router<WindowContext> {
        let texts = Texts()
        let assets: AssetStore
        let renderer: PageRenderer
        do {
            let resources = Bundle.module.bundleURL
            assets = try AssetStore(directories: ["Scripts", "Styles", "Icons"].map { resources.appending(path: $0) })
            renderer = try PageRenderer(
                templates: resources.appending(path: "Templates"), texts: texts, version: assets.version)
        } catch {
            throw .resourcesUnreadable(cause: error)
        }
        let contexts = OrderContexts(texts: texts)
        let pages = OrderPages(board: board, contexts: contexts, renderer: renderer, sessions: sessions, clock: clock)
        let router = Router(context: WindowContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: PageHeaders())
        router.add(middleware: ProblemPages(contexts: contexts, renderer: renderer))
        router.add(middleware: SameOrigin())
        FixedPages(renderer: renderer, assets: assets).add(to: router)
        pages.add(to: router)
        SessionRoutes(sessions: sessions, pages: pages).add(to: router)
        return router
    }
}

extension WindowConfiguration {
    /// Where a browser on this machine finds the window; an address that stands for all is no destination.
    fileprivate func baseURL(boundTo port: Int?) -> URL {
        var components = URLComponents()
        components.scheme = "http"
        components.host =
            switch host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "[::1]"
            default: host.contains(":") ? "[\(host)]" : host
            }
        components.port = port ?? self.port
        return components.url ?? URL(filePath: "/")
    }
}

extension WindowError {
    /// What ended a server that was to listen on an address, in the terms of the one who started it.
    fileprivate init(_ error: any Error, listeningOn configuration: WindowConfiguration) {
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE:
            self = .portInUse(host: configuration.host, port: configuration.port)
        case is IOError, is SocketAddressError, is SocketAddressError.UnknownHost:
            self = .addressUnavailable(host: configuration.host, port: configuration.port, cause: error)
        default:
            self = .stopped(cause: error)
        }
    }
}
