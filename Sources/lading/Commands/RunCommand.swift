import ArgumentParser
import Foundation
import Logging
import Origin
import ServiceLifecycle
import Window

/// `lading run`: origin and window in one program.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Start the demo: a server with orders, and the web page that shows them.",
        discussion: "With --origin or --orders-url no server is started, and the page shows the orders of that one.")

    @OptionGroup var window: WindowOptions
    @OptionGroup var origin: OriginOptions
    @OptionGroup var feed: FeedOptions

    func run() async throws {
        try await Engine.with { engine in
            if feed.origin != nil || feed.ordersURL != nil {
                try await WindowCommand.serve(window, feed.lists(), engine)
            } else {
                try await serveBoth(engine)
            }
        }
    }

    private func serveBoth(_ engine: Engine) async throws {
        let logger = Logger(label: "lading")
        let (addresses, announce) = AsyncStream<URL>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let port = window.port == 0 ? 0 : Self.isFree(FeedOptions.originPort, host: "127.0.0.1") ? FeedOptions.originPort : 0
        let originServer = try await OriginServer(
            origin.configuration(host: "127.0.0.1", port: port), logger: logger, now: { Date() }
        ) { announce.yield($0) }
        let windowServer = WindowAfterOrigin(configuration: window.configuration, addresses: addresses, feed: feed, engine: engine)
        // A window that cannot start lets the origin finish in order: cut off in the middle of its start, its server would trap.
        let services = [originServer as any Service, windowServer].map {
            ServiceGroupConfiguration.ServiceConfiguration(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)
        }
        try await Interruption.serving(ServiceGroup(configuration: .init(services: services, logger: logger)))
    }

    /// Whether a port can be listened on right now.
    private static func isFree(_ port: Int, host: String) -> Bool {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard probe >= 0 else { return false }
        defer { close(probe) }
        var reuse: Int32 = 1
        setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// The window of an origin in the same program: it begins as soon as it is known where that one listens.
private struct WindowAfterOrigin: Service {
    let configuration: WindowConfiguration
    let addresses: AsyncStream<URL>
    let feed: FeedOptions
    let engine: Engine

    func run() async throws {
        guard let address = await addresses.first(where: { _ in true }) else { return }
        let lists = feed.lists(origin: address)
        Terminal.output.write("The orders are served at \(lists.orders.absoluteString)\n")
        try await WindowCommand.server(configuration, lists, engine).run()
    }
}
