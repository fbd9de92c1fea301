import ArgumentParser
import ServerSecurity
import ServerStartup

/// The additional host names that a server accepts.
struct HostOptions: ParsableArguments {
    @Option(
        name: .customLong("allowed-host"),
        help: ArgumentHelp(
            """
            A further name that the server answers to, without a port; can be given several times (default: localhost, the name given \
            with --host, and addresses if other machines can reach it).
            """, valueName: "name"))
    var names: [String] = []

    func validate() throws {
        for name in names {
            guard let authority = Authority(name), authority.port == nil, authority.host == name.lowercased() else {
                throw ValidationError("--allowed-host takes a name or an IPv4 address without a port, such as orders.example.org.")
            }
        }
    }

    /// Returns the accepted hosts of a server that listens on an address.
    func hosts(listeningOn address: ListenAddress) -> AllowedHosts { AllowedHosts(listeningOn: address, names: names) }
}
