import ArgumentParser
import Foundation
import LadingRecords
import ServerStartup
import Window

/// The address of the window, its TLS files, and its map.
struct WindowOptions: ParsableArguments {
    static let defaultPort = 8080

    @Option(parsing: .unconditional, help: "The port of the web page; 0 chooses a free port.")
    var port = Self.defaultPort

    @Option(help: "The address to listen on; 0.0.0.0 accepts connections from other machines.")
    var host = "127.0.0.1"

    @OptionGroup var hostOptions: HostOptions

    @Option(help: ArgumentHelp("Serve HTTPS with the certificate in this PEM file, which is read at the start.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The PEM file with the private key of the certificate.", valueName: "file"))
    var tlsKey: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The position for sorting by distance when the browser does not share its own (default: the middle of the region).",
            valueName: "lat,lng"),
        transform: GeographicPoint.init(argument:))
    var near: GeographicPoint?

    @Option(
        help: ArgumentHelp(
            """
            The URL template of map tiles, such as https://example.org/{z}/{x}/{y}.png, or @FILE with it (default: a drawing of the demo \
            city).
            """, valueName: "template"),
        transform: TileTemplate.init(argument:))
    var tiles: TileTemplate?

    @Option(
        help: ArgumentHelp("The attribution that the tile server requires (default: its host name).", valueName: "text"))
    var tilesAttribution: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            The maximum number of open pages of all clients. At a limit the page without a connection for the longest time is \
            closed, but none within 15 s; otherwise the new page gets 503.
            """,
            valueName: "n"))
    var pages = WindowConfiguration.defaultPages

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of open pages per client (an IPv4 address or an IPv6 /64).", valueName: "n"))
    var pagesPerClient = WindowConfiguration.defaultPagesPerClient

    @OptionGroup var clients: ClientOptions
    @OptionGroup var nodes: NodeOptions

    func validate() throws {
        if pages < 1 { throw ValidationError("--pages must be at least 1.") }
        if pagesPerClient < 1 { throw ValidationError("--pages-per-client must be at least 1.") }
        try address.validateAsOption()
        if tlsCert != nil, tlsKey == nil { throw ValidationError("--tls-cert requires --tls-key, the private key of the certificate.") }
        if tlsKey != nil, tlsCert == nil { throw ValidationError("--tls-key requires --tls-cert, the certificate of the key.") }
        if tilesAttribution != nil, tiles == nil { throw ValidationError("--tiles-attribution requires --tiles.") }
    }

    var configuration: WindowConfiguration {
        WindowConfiguration(
            address: address, allowedHosts: hostOptions.hosts(listeningOn: address, node: nodes.node?.url.host()), tls: tls, pages: pages,
            pagesPerClient: pagesPerClient, clients: clients.limits)
    }

    /// Returns the map tiles of the operator's server; nil for the built-in map of the demo city.
    func mapTiles(_ engine: Engine) -> MapTiles? {
        tiles.map { template in
            // Tiles without an explicit lifetime are fresh for a week.
            let client = engine.cachingClient(defaultLifetime: MapTiles.defaultLifetime)
            return MapTiles(template, attribution: tilesAttribution, client: client, queue: engine.queue)
        }
    }

    /// The port of a server that is started beside the window: its default port, or any free one where the window chooses its own or takes that.
    var originPort: Int { port == 0 || port == FeedOptions.originPort ? 0 : FeedOptions.originPort }

    /// Whether only this machine can open the page, so that everybody who can may be one of the demo's people.
    var isPrivate: Bool { address.isLoopback && hostOptions.names.isEmpty && clients.limits.proxies.isEmpty }

    private var address: ListenAddress { ListenAddress(host: host, port: port) }

    private var tls: TLSFiles? {
        guard let tlsCert, let tlsKey else { return nil }
        return TLSFiles(certificate: URL(filePath: tlsCert), key: URL(filePath: tlsKey))
    }
}

extension TileTemplate {
    /// Parses a command-line argument.
    fileprivate init(argument text: String) throws {
        let text = try ConfidentialArgument.text(of: text)
        do { try self.init(text) } catch { throw ValidationError(error.description) }
    }
}

extension ListenAddress {
    /// Converts an invalid address to a usage error.
    func validateAsOption() throws {
        do { try validate() } catch { throw ValidationError(error.description) }
    }
}
