import ArgumentParser
import Foundation
import LadingHTTP
import Logging
import MarsPhotos
import ServiceLifecycle
import Window

/// `lading window`: runs the web page.
struct WindowCommand: AsyncParsableCommand, CrashReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "window", abstract: "Show the orders, deliveries and photos of a server in a web page.")

    @OptionGroup var window: WindowOptions
    @OptionGroup var storage: StorageOptions
    @OptionGroup var feed: FeedOptions
    @OptionGroup var photos: PhotoOptions
    @OptionGroup var retries: RetryOptions
    @OptionGroup var engine: EngineOptions
    @OptionGroup var crashes: CrashOptions

    var dataDirectory: URL? { storage.directory }

    func run() async throws {
        try await CrashMonitor.monitor(self, crashes) { ring in
            try await CacheStorage.with(.images, in: storage.directory) { pictures in
                try await Engine.with(
                    engine, retries: retries.count, readTimeout: photos.readTimeout, imageStore: pictures, operationRing: ring
                ) { engine in
                    try await Self.serve(window, feed, photos, in: storage.directory, engine)
                }
            }
        }
    }

    /// Runs a window until a signal arrives.
    ///
    /// - Parameter directory: The data directory; nil stores nothing.
    static func serve(
        _ options: WindowOptions, _ feed: FeedOptions, _ photos: PhotoOptions, in directory: URL?, _ engine: Engine
    ) async throws {
        let source = try photos.source(origin: feed.origin?.url, client: engine.client, images: engine.imageClient)
        let service = photos.address(origin: feed.origin?.url)
        try await DeliveryWindow.with(feed.deliveries(), in: directory, near: options.near, engine) { deliveries in
            try await WindowArchives.with(.orders(feed.lists()), .photos(photos.kind, at: service), in: directory) { archives in
                let server = try server(options, feed.lists(), deliveries, source, archives, feed.account(engine), engine)
                var configuration = ServiceGroupConfiguration(services: [server], logger: Logger(label: "lading"))
                configuration.maximumGracefulShutdownDuration = SignalHandling.shutdownLimit
                try await SignalHandling.runUntilSignal(ServiceGroup(configuration: configuration))
            }
        }
    }

    /// Creates a window, which prints its address once it listens.
    static func server(
        _ options: WindowOptions, _ lists: (orders: URL, items: URL), _ deliveries: DeliveryRepository, _ photos: any PhotoSource,
        _ archives: WindowArchives, _ account: AccountService?, _ engine: Engine,
        onListening: @escaping @Sendable (URL) async -> Void = { _ in }
    ) throws -> WindowServer {
        let orders = OrderRepository(
            ordersURL: lists.orders, itemsURL: lists.items, client: engine.client, images: engine.imageClient, queue: engine.queue,
            near: options.near, archive: archives.orders)
        var configuration = options.configuration
        configuration.node = try options.nodes.place()
        return try WindowServer(
            configuration, showing: orders, deliveries,
            PhotoRepository(photos, queue: engine.queue, archive: archives.photos, reachability: engine.client.reachability),
            tiles: options.mapTiles(engine), account: account, logger: Logger(label: "lading"),
            onListening: { address in
                Terminal.output.announce("Lading is at \(address.absoluteString)/ (stop with Ctrl-C)\n")
                await onListening(address)
            })
    }
}
