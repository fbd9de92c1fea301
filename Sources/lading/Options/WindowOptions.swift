import ArgumentParser
import Foundation
import LadingFeeds
import Orders
import ServerStartup
import Window

/// The address of the window, its TLS files, and its map.
struct WindowOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "The port of the web page; 0 takes any that is free.")
    var port = 8080

    @Option(help: "The address to listen on; 0.0.0.0 lets other machines in.")
    var host = "127.0.0.1"

    @OptionGroup var hostOptions: HostOptions

    @Option(help: ArgumentHelp("Speak https, with the certificate in this PEM file.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The private key of the certificate, in a PEM file.", valueName: "file"))
    var tlsKey: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What \"nearest\" is near to, for readers who do not tell where they are (default: the middle of the region).",
            valueName: "lat,lng"),
        transform: GeographicPoint.init(argument:))
    var near: GeographicPoint?

    @Option(
        help: ArgumentHelp(
            "Where map tiles are, on any server, such as https://example.org/{z}/{x}/{y}.png (default: a drawing of the demo city).",
            valueName: "template"),
        transform: TileTemplate.init(argument:))
    var tiles: TileTemplate?

    @Option(
        help: ArgumentHelp("The words that the server of the tiles wants beside its map (default: its name).", valueName: "text"))
    var tilesAttribution: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most pages that one client may have open: an address, or the /64 of version 6.", valueName: "n"))
    var pagesPerClient = WindowConfiguration.defaultPagesPerClient

    @OptionGroup var clients: ClientOptions

    func validate() throws {
        if pagesPerClient < 1 { throw ValidationError("--pages-per-client takes a number from 1.") }
        try address.validateAsOption()
        if tlsCert != nil, tlsKey == nil { throw ValidationError("--tls-cert needs --tls-key, the key of that certificate.") }
        if tlsKey != nil, tlsCert == nil { throw ValidationError("--tls-key needs --tls-cert, the certificate of that key.") }
        if tilesAttribution != nil, tiles == nil { throw ValidationError("--tiles-attribution needs --tiles, the map that it is about.") }
    }

    var configuration: WindowConfiguration {
        WindowConfiguration(
            address: address, allowedHosts: hostOptions.hosts(listeningOn: address), tls: tls, pagesPerClient: pagesPerClient,
            clients: clients.limits)
    }

    /// Returns the map tiles of the operator's server; nil for the built-in map of the demo city.
    func mapTiles(_ engine: Engine) -> MapTiles? {
        tiles.map { template in
            // Tiles without an explicit lifetime are fresh for a week.
            let client = engine.cachingClient(defaultLifetime: MapTiles.defaultLifetime)
            return MapTiles(template, attribution: tilesAttribution, client: client, queue: engine.queue)
        }
    }

    private var address: ListenAddress { ListenAddress(host: host, port: port) }

    private var tls: TLSFiles? {
        guard let tlsCert, let tlsKey else { return nil }
        return TLSFiles(certificate: URL(filePath: tlsCert), key: URL(filePath: tlsKey))
    }
}

extension TileTemplate {
    /// Parses a command-line argument.
    fileprivate init(argument text: String) throws {
        do { try self.init(text) } catch { throw ValidationError(error.description) }
    }
}

extension ListenAddress {
    /// Converts an invalid address to a usage error.
    func validateAsOption() throws {
        do { try validate() } catch { throw ValidationError(error.description) }
    }
}
