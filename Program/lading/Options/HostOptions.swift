import ArgumentParser
import ServerSecurity
import ServerStartup

/// The additional host names that a server accepts.
struct HostOptions: ParsableArguments {
    @Option(
        name: .customLong("allowed-host"),
        help: ArgumentHelp(
            """
            An additional host name that requests may use, without a port; can be repeated (default: localhost, the value of --host, \
            and IP addresses if other machines can connect).
            """, valueName: "name"))
    var names: [String] = []

    func validate() throws {
        for name in names {
            guard let authority = Authority(name), authority.port == nil, authority.host == name.lowercased() else {
                throw ValidationError("--allowed-host must be a host name or an IPv4 address without a port, such as orders.example.org.")
            }
        }
    }

    /// Returns the accepted hosts of a server that listens on an address.
    ///
    /// - Parameter node: The name by which other servers reach this one, if any.
    func hosts(listeningOn address: ListenAddress, node: String? = nil) -> AllowedHosts {
        AllowedHosts(listeningOn: address, names: names + (node.map { [$0] } ?? []))
    }
}
