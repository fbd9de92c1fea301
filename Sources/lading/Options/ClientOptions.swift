import ArgumentParser
import ServerStartup

/// The connection limits of each client, and the trusted proxies.
struct ClientOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            The most connections that one client may have: an address, or the /64 of version 6. Trusted proxies may have any number.
            """,
            valueName: "n"))
    var connectionsPerClient = ClientLimits.defaultConnections

    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            """
            Where a proxy is whose word about the client counts, as Forwarded or X-Forwarded-For, such as 10.0.0.0/8; can be repeated.
            """,
            valueName: "cidr"),
        transform: AddressRange.init(argument:))
    var trustedProxies: [AddressRange] = []

    func validate() throws {
        if connectionsPerClient < 1 { throw ValidationError("--connections-per-client takes a number from 1.") }
    }

    var limits: ClientLimits { ClientLimits(connections: connectionsPerClient, proxies: TrustedProxies(trustedProxies)) }
}

extension AddressRange {
    /// Parses a command-line argument.
    fileprivate init(argument text: String) throws {
        guard let range = Self(text) else {
            throw ValidationError("'\(text)' is no range of addresses: write 10.0.0.0/8, 2001:db8::/32 or one address")
        }
        self = range
    }
}
