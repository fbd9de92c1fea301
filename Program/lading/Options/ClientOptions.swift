import ArgumentParser
import ServerStartup

/// The connection limits of each client, and the trusted proxies.
struct ClientOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            The maximum number of connections per client (an IPv4 address or an IPv6 /64). Trusted proxies have no limit.
            """,
            valueName: "n"))
    var connectionsPerClient = ClientLimits.defaultConnections

    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            """
            The addresses of proxies whose Forwarded or X-Forwarded-For fields are trusted, such as 10.0.0.0/8; can be repeated.
            """,
            valueName: "cidr"),
        transform: AddressRange.init(argument:))
    var trustedProxies: [AddressRange] = []

    func validate() throws {
        if connectionsPerClient < 1 { throw ValidationError("--connections-per-client must be at least 1.") }
    }

    var limits: ClientLimits { ClientLimits(connections: connectionsPerClient, proxies: TrustedProxies(trustedProxies)) }
}

extension AddressRange {
    /// Parses a command-line argument.
    fileprivate init(argument text: String) throws {
        guard let range = Self(text) else {
            throw ValidationError("'\(text)' is not an address range: use 10.0.0.0/8, 2001:db8::/32 or a single address")
        }
        self = range
    }
}
