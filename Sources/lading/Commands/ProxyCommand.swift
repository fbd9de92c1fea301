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
        commandName: "proxy", abstract: "Answer for a server from a cache.",
        discussion: """
            What may be kept is kept as HTTP has it (RFC 9111); equal requests share one question to the server. Replies tell in Cache-Status where \
            they come from. Without --shared it answers one user, and keeps what is private too. With --shared it answers many, and CDN-Cache-Control \
            takes the place of Cache-Control and Expires in replies that have it (RFC 9213).
            """)

    /// The maximum number of concurrent requests to the server.
    private static let connectionLimit = 64

    @Option(help: "The server to answer for, such as http://127.0.0.1:8081.")
    var origin: String

    @Option(parsing: .unconditional, help: "The port to listen on; 0 takes any that is free.")
    var port = 8090

    @Option(help: "The address to listen on; 0.0.0.0 lets other machines in.")
    var host = "127.0.0.1"

    @OptionGroup var hostOptions: HostOptions
    @OptionGroup var clients: ClientOptions

    @Option(
        help: ArgumentHelp(
            "Keep replies there, up to 1 GiB, and as much again with --shared (default: in memory, up to 256 MiB).", valueName: "dir"))
    var data: String?

    @Flag(help: "Many users are answered: keep nothing that is meant for one.")
    var shared = false

    @Option(
        help: ArgumentHelp(
            "Fields of replies that take the place of Cache-Control, the most telling first; \"\" for none (default: CDN-Cache-Control with --shared).",
            valueName: "names"),
        transform: Self.fieldNames)
    var targets: [HTTPField.Name]?

    /// Parses a comma-separated list of names.
    private static func fieldNames(_ text: String) throws -> [HTTPField.Name] {
        try text.split(separator: ",").map { name in
            guard let name = HTTPField.Name(name.trimmingCharacters(in: .whitespaces)) else {
                throw ValidationError("names of header fields are divided by commas, as in My-Cache-Control,CDN-Cache-Control")
            }
            return name
        }
    }

    func validate() throws {
        try address.validateAsOption()
        guard originURL != nil else { throw ValidationError("--origin takes a URL that begins with http:// or https:// and has a host.") }
    }

    private var address: ListenAddress { ListenAddress(host: host, port: port) }

    private var audience: CacheAudience { shared ? .shared : .private }

    private var originURL: URL? {
        guard let url = URL(string: origin), ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false,
            url.query() == nil, url.fragment() == nil
        else { return nil }
        return url
    }

    var dataDirectory: URL? { data.map { URL(filePath: $0, directoryHint: .isDirectory) } }

    func run() async throws {
        try await CacheStorage.with(.proxy(for: audience), in: dataDirectory, serve)
    }

    private func serve(storingIn store: any BlobStore) async throws {
        guard let originURL else { throw ValidationError("--origin is no URL.") }
        let network = AsyncHTTPClientExecutor(
            connectionsPerHost: Self.connectionLimit, readTimeout: .seconds(60), decompressesBodies: false, usesHTTP2: false)
        let queue = BackendQueue()
        let cache = HTTPCache(
            store: store, audience: audience, targets: targets, isDecoded: false, refreshQueue: queue)
        let server = CacheProxyServer(
            address, allowedHosts: hostOptions.hosts(listeningOn: address), clients: clients.limits, origin: originURL, cache: cache,
            executor: network, logger: Logger(label: "lading"),
            onListening: { Terminal.output.announce("The cache is at \($0.absoluteString)/ (stop with Ctrl-C)\n") })
        let result: Result<Void, any Error>
        do {
            result = .success(try await SignalHandling.runUntilSignal(ServiceGroup(services: [server], logger: Logger(label: "lading"))))
        } catch {
            result = .failure(error)
        }
        queue.cancelAll()
        try? await network.shutdown()
        try result.get()
    }
}
