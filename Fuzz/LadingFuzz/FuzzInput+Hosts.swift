import Foundation
import HTTPTypes
import LadingHTTP
import ServerStartup

@testable import ServerSecurity

extension FuzzInput {
    /// Parses the host or the target of a request from the first line, a trusted range of proxies from the second one, the address of the client
    /// from the third one, and fields from the others.
    func parseHosts() {
        let names = lines + ["", "", ""]
        let fields = Self.fields(lines.dropFirst(3))
        parseAuthority(names[0], fields)
        parseTarget(names[0], fields)
        parseProxyTarget(names[0], fields)
        for name in names.prefix(3) {
            let isAddress = IPAddress(name) != nil
            precondition(isAddress == (ClientAddress(name) != nil), "both readers know the same addresses")
        }
        let range = AddressRange(names[1])
        if let range, let address = ClientAddress(names[1].prefix { $0 != "/" }) {
            precondition(range.contains(address), "a range contains the address that it is named by")
        }
        guard let peer = ClientAddress(names[2]) else { return }
        let (forwarded, forwardedFor) = (fields[values: .forwarded], fields[values: .forwardedFor])
        let client = TrustedProxies().client(of: peer, forwarded: forwarded, forwardedFor: forwardedFor)
        precondition(client == peer, "nobody is believed who is not trusted")
        _ = TrustedProxies(range.map { [$0] } ?? []).client(of: peer, forwarded: forwarded, forwardedFor: forwardedFor)
    }

    private func parseAuthority(_ text: String, _ fields: HTTPFields) {
        let hosts = AllowedHosts(listeningOn: ListenAddress(port: 8_080))
        let request = HTTPRequest(method: .post, scheme: "http", authority: text, path: "/", headerFields: fields)
        guard let authority = request.authority.flatMap({ Authority($0) }) else {
            precondition(hosts.rejection(of: request) == .invalidHost, "a request without a host is refused")
            return
        }
        precondition(authority.host == authority.host.lowercased(), "a host is compared in lower case")
        precondition((0...65_535).contains(authority.port ?? 0), "a port has 16 bits")
        _ = hosts.rejection(of: request)
    }
}

extension HTTPField.Name {
    fileprivate static let forwarded = Self("Forwarded")!
    fileprivate static let forwardedFor = Self("X-Forwarded-For")!
}
