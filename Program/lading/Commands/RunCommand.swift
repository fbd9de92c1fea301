import ArgumentParser
import Deliveries
import Foundation
import LadingHTTP
import Logging
import Origin
import ServerStartup
import ServiceLifecycle
import Window

/// `lading run`: runs the origin and the window in one process.
struct RunCommand: AsyncParsableCommand, CrashReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Start the demo: a server with orders, deliveries and photos, and a web page that shows them.",
        discussion: "With --origin or --orders-url, starts no server and shows the lists of that one.")

    @OptionGroup var window: WindowOptions
    @OptionGroup var origin: OriginOptions
    @OptionGroup var simulation: SimulationOptions
    @OptionGroup var webhook: WebhookOptions
    @OptionGroup var city: CityOptions
    @OptionGroup var feed: FeedOptions
    @OptionGroup var photos: PhotoOptions
    @OptionGroup var retries: RetryOptions
    @OptionGroup var engine: EngineOptions
    @OptionGroup var crashes: CrashOptions

    func validate() throws {
        try webhook.validate(inMemory: origin.inMemory)
        guard let source = externalSource,
            let option = (origin.specifiedOptions + simulation.specifiedOptions + webhook.specifiedOptions + city.specifiedOptions).first
        else { return }
        throw ValidationError("\(option) applies to the demo server, which \(source) does not start: use either \(option) or \(source).")
    }

    var dataDirectory: URL? { origin.directory }

    func run() async throws {
        try await CrashMonitor.monitor(self, crashes) { ring in
            try await CacheStorage.with(.images, in: origin.directory) { imageStore in
                try await Engine.with(
                    engine, retries: retries.count, readTimeout: photos.readTimeout, imageStore: imageStore, operationRing: ring, serve)
            }
        }
    }

    private func serve(_ engine: Engine) async throws {
        guard externalSource != nil else { return try await serveBoth(engine) }
        try await WindowCommand.serve(window, feed, photos, in: origin.directory, engine)
    }

    /// The option that selects another server; nil when one must be started.
    private var externalSource: String? {
        feed.origin != nil ? "--origin" : feed.ordersURL != nil ? "--orders-url" : nil
    }

    /// Whether everybody at this machine may sign in as one of the demo's people, whom a database of several servers does not have.
    private var offersDemoPeople: Bool { window.isPrivate && origin.shared.address == nil }

    private func serveBoth(_ engine: Engine) async throws {
        let logger = Logger(label: "lading")
        let (addresses, announce) = AsyncStream<OriginServices.Endpoint>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (cityAddresses, announceToCity) = AsyncStream<OriginServices.Endpoint>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let address = ListenAddress(port: window.originPort)
        // All clients, including the window, share this machine's address: a limit per address would make them compete for connections.
        let clients = ClientLimits(connections: nil, proxies: window.clients.limits.proxies.withLoopback)
        let originServers = try await OriginServices(
            origin, simulation, webhook, at: address, clients: clients, isPortOptional: true, offersDemoPeople: offersDemoPeople,
            logger: logger
        ) {
            announce.yield($0)
        }
        let windowServer = DeferredWindow(
            options: window, addresses: addresses, feed: feed, photos: photos, directory: origin.directory,
            origin: originServers.origin, offersDemoPeople: offersDemoPeople, engine: engine
        ) {
            // A start that fails stores nobody, so that the next one adds the first dispatcher.
            announceToCity.yield($0)
        }
        var otherServices: [any Service] = [windowServer]
        if let directory = origin.directory { otherServices.append(TransferService(directory: directory, engine: engine)) }
        if city.simulate {
            otherServices.append(
                SimulatedCityService(origin: originServers.origin, addresses: cityAddresses, speed: city.speed, seed: origin.citySeed))
        }
        try await SignalHandling.runUntilSignal(originServers.group(with: otherServices, logger: logger))
    }
}

/// A window on an origin in the same process, started when the origin's address is known.
private struct DeferredWindow: Service {
    let options: WindowOptions
    let addresses: AsyncStream<OriginServices.Endpoint>
    let feed: FeedOptions
    let photos: PhotoOptions
    /// The data directory; nil stores nothing.
    let directory: URL?
    let origin: OriginServer
    let offersDemoPeople: Bool
    let engine: Engine
    /// Called once with the address of the origin, when the window accepts requests.
    let onListening: @Sendable (OriginServices.Endpoint) -> Void

    func run() async throws {
        guard let address = await addresses.cancelOnGracefulShutdown().first(where: { _ in true }) else { return }
        let lists = feed.lists(origin: address.url)
        Terminal.output.announce("The orders are served at \(lists.orders.redacted)\n")
        Terminal.output.announce(
            "The deliveries are served at \(feed.deliveries(origin: address.url).pageURL(offset: 0, limit: 20).redacted)\n")
        Terminal.output.announce("The photos are served at \(address.roversURL.absoluteString)\n")
        if let direct = address.directURL {
            Terminal.output.announce("Without the link they are at \(feed.lists(origin: direct).orders.redacted)\n")
        }
        // The address of an embedded origin may change between runs, while its list stays the same.
        let storedList = feed.deliveriesURL == nil ? FeedOptions.embeddedOriginDeliveries : nil
        try await DeliveryWindow.with(feed.deliveries(origin: address.url), storedAs: storedList, in: directory, near: options.near, engine)
        {
            repository in
            let source = try photos.source(origin: address.url, client: engine.client, images: engine.imageClient)
            // As with the list of deliveries.
            let service = photos.address(origin: nil)
            try await WindowArchives.with(.orders(feed.lists()), .photos(photos.kind, at: service), in: directory) { archives in
                let account = feed.account(engine, origin: address.url, offersDemoPeople: offersDemoPeople)
                try await WindowCommand.server(options, lists, repository, source, archives, account, engine) { window in
                    await origin.announceFirstDispatcher(at: window)
                    onListening(address)
                }.run()
            }
        }
    }
}
