import ArgumentParser
import CacheProxy
import Foundation
import HTTPTypes
import LadingCaching
import LadingHTTP
import LadingNIO
import LadingOperations
import Logging
import ServerStartup
import ServiceLifecycle

/// `lading proxy`: runs a caching reverse proxy.
struct ProxyCommand: AsyncParsableCommand, DataDirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy", abstract: "Run a caching HTTP proxy for a server.",
        discussion: """
            Caches responses by the rules of HTTP (RFC 9111) and coalesces equal requests. Responses report cache hits in Cache-Status. \
            By default the cache is private: it serves one user, on this machine, and stores private responses. With --shared it serves \
            many users, and CDN-Cache-Control replaces Cache-Control and Expires in responses that have it (RFC 9213). \
            Each client (an IPv4 address or an IPv6 /64) may then have 100 requests in progress at the server; further ones get 503. \
            Fields by which proxies describe clients, such as Forwarded and X-Forwarded-For, are not sent to the server.
            """)

    /// The maximum number of concurrent requests to the server, and as many again with bodies, for one user.
    private static let connectionLimit = 64
    /// The same for many users.
    private static let sharedConnectionLimit = 2_000
    /// The maximum number of concurrent requests of one client to the server, so that slow ones leave connections to others.
    private static let exchangesPerClient = 100

    @Option(help: "The URL of the origin server, such as http://127.0.0.1:8081.")
    var origin: String

    @Option(parsing: .unconditional, help: "The port to listen on; 0 chooses a free port.")
    var port = 8090

    @Option(help: "The address to listen on; 0.0.0.0 accepts connections from other machines, and requires --shared.")
    var host = "127.0.0.1"

    @OptionGroup var hostOptions: HostOptions
    @OptionGroup var clients: ClientOptions

    @Option(
        help: ArgumentHelp(
            "Store responses in this directory, up to 1 GiB each with and without --shared (default: in memory, up to 256 MiB).",
            valueName: "dir"))
    var data: String?

    @Flag(help: "Serve many users: do not store private responses.")
    var shared = false

    @Option(
        help: ArgumentHelp(
            "Response fields that replace Cache-Control, by precedence; \"\" for none (default: CDN-Cache-Control with --shared).",
            valueName: "names"),
        transform: Self.fieldNames)
    var targets: [HTTPField.Name]?

    /// Parses a comma-separated list of names.
    private static func fieldNames(_ text: String) throws -> [HTTPField.Name] {
        try text.split(separator: ",").map { name in
            guard let name = HTTPField.Name(name.trimmingCharacters(in: .whitespaces)) else {
                throw ValidationError("expected header field names separated by commas, such as My-Cache-Control,CDN-Cache-Control")
            }
            return name
        }
    }

    func validate() throws {
        try OriginOptions.validate(data: data)
        try address.validateAsOption()
        guard originURL != nil else { throw ValidationError("--origin must be an http:// or https:// URL with a host.") }
        if !shared, let option = optionForManyUsers {
            throw ValidationError(
                "\(option) requires --shared: without it, the cache stores private responses, and serves those of one user to another.")
        }
    }

    /// The option by which others than a user of this machine reach the proxy, if any.
    private var optionForManyUsers: String? {
        if !address.isLoopback { return "--host \(host)" }
        return clients.trustedProxies.isEmpty ? nil : "--trusted-proxy"
    }

    private var address: ListenAddress { ListenAddress(host: host, port: port) }

    private var scope: CacheScope { shared ? .shared : .private }

    private var originURL: URL? {
        guard let url = URL(string: origin), ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false,
            url.query() == nil, url.fragment() == nil
        else { return nil }
        return url
    }

    var dataDirectory: URL? { data.map { URL(filePath: $0, directoryHint: .isDirectory) } }

    func run() async throws {
        try await CacheStorage.with(.proxy(for: scope), in: dataDirectory, serve)
    }

    private func serve(storingIn store: any BlobStore) async throws {
        let network = AsyncHTTPClientExecutor(
            connectionsPerHost: shared ? Self.sharedConnectionLimit : Self.connectionLimit, readTimeout: .seconds(60),
            decompressesBodies: false, usesHTTP2: false, userAgent: nil)
        try await withResource(network, close: { try? await $0.shutdown() }) { try await runServer(storingIn: store, through: $0) }
    }

    private func runServer(storingIn store: any BlobStore, through network: AsyncHTTPClientExecutor) async throws {
        guard let originURL else { throw ValidationError("--origin must be a URL.") }
        let queue = BackendQueue()
        defer { queue.cancelAll() }
        let cache = HTTPCache(
            store: store, audience: scope, targets: targets, isDecoded: false, refreshQueue: queue)
        let server = CacheProxyServer(
            address, allowedHosts: hostOptions.hosts(listeningOn: address), clients: clients.limits,
            exchangesPerClient: shared ? Self.exchangesPerClient : nil, origin: originURL, cache: cache, executor: network,
            logger: Logger(label: "lading"),
            onListening: { Terminal.output.announce("The cache is at \($0.absoluteString)/ (stop with Ctrl-C)\n") })
        var configuration = ServiceGroupConfiguration(services: [server], logger: Logger(label: "lading"))
        configuration.maximumGracefulShutdownDuration = SignalHandling.shutdownLimit
        try await SignalHandling.runUntilSignal(ServiceGroup(configuration: configuration))
    }
}
