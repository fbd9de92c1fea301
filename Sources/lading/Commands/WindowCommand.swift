import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import Window

/// `lading window`: the web page alone.
struct WindowCommand: AsyncParsableCommand, CrashWatched {
    static let configuration = CommandConfiguration(
        commandName: "window", abstract: "Show the orders of a server in a web page.")

    @OptionGroup var window: WindowOptions
    @OptionGroup var feed: FeedOptions
    @OptionGroup var retries: RetryOptions
    @OptionGroup var engine: EngineOptions
    @OptionGroup var crashes: CrashOptions

    var dataDirectory: URL? { OriginOptions.defaultDirectory }

    func run() async throws {
        try await CrashWatch.around(self, crashes) { ring in
            try await Engine.with(engine, retries: retries.count, notingIn: ring) { try await Self.serve(window, feed.lists(), $0) }
        }
    }

    static func serve(_ options: WindowOptions, _ lists: (orders: URL, items: URL), _ engine: Engine) async throws {
        let server = try server(options, lists, engine)
        try await Interruption.serving(ServiceGroup(services: [server], logger: Logger(label: "lading")))
    }

    /// A window on these lists, which prints where it is once it listens.
    static func server(
        _ options: WindowOptions, _ lists: (orders: URL, items: URL), _ engine: Engine
    ) throws -> WindowServer {
        let board = OrderBoard(
            ordersURL: lists.orders, itemsURL: lists.items, client: engine.client, queue: engine.queue, near: options.near)
        return try WindowServer(
            options.configuration, showing: board, logger: Logger(label: "lading"),
            onListening: { address in
                Terminal.output.write("Lading is at \(address.absoluteString)/ (stop with Ctrl-C)\n")
            })
    }
}
