import HTTPTypes
import ServerStartup
import Testing

@testable import ServerSecurity

/// Tests of the rejection of requests by their heads.
@Suite struct AllowedHostsTests {
    private let local = AllowedHosts(listeningOn: ListenAddress(port: 80))

    private func request(_ method: HTTPRequest.Method = .get, to host: String?, _ fields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: host, path: "/", headerFields: fields)
    }

    @Test(arguments: ["localhost", "localhost:8080", "LOCALHOST", "app.localhost", "127.0.0.1:80", "127.1.2.3", "[::1]:8080"])
    func `A server on loopback answers to names of this machine`(host: String) {
        #expect(local.rejection(of: request(to: host)) == nil)
    }

    @Test(arguments: [
        "evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.0.1", "[fe80::1]", "0.0.0.0",
    ])
    func `A server on loopback answers to no other name`(host: String) throws {
        let name = try #require(Authority(host)).host

        #expect(local.rejection(of: request(to: host)) == .hostNotAllowed(name))
    }

    @Test(arguments: [
        nil, "", "a b", "a/b", "user@localhost", "localhost:", "localhost:123456", "localhost, localhost", "[::1", "[localhost]",
        "[1.2.3.4]",
    ])
    func `A request without a valid host is refused`(host: String?) {
        #expect(local.rejection(of: request(to: host)) == .invalidHost)
    }

    @Test func `A request with two hosts is refused`() throws {
        let name = try #require(HTTPField.Name("Host"))

        #expect(local.rejection(of: request(to: "localhost", [name: "localhost"])) == .invalidHost)
    }

    @Test(arguments: [
        ("192.168.0.1:80", true), ("[fe80::1]", true), ("localhost", true), ("box.example.org", true), ("Orders.example.org:80", true),
        ("example.org", false), ("evil.example", false), ("a.orders.example.org", false),
    ])
    func `A server for other machines answers to addresses and to its own names`(host: String, isAllowed: Bool) {
        let hosts = AllowedHosts(listeningOn: ListenAddress(host: "box.example.org", port: 80), names: ["orders.EXAMPLE.org"])

        #expect((hosts.rejection(of: request(to: host)) == nil) == isAllowed)
    }

    @Test(arguments: ["127.0.0.1", "0.0.0.0"])
    func `A host that is not allowed is refused although the origin matches it`(address: String) {
        let hosts = AllowedHosts(listeningOn: ListenAddress(host: address, port: 80))

        let rejection = hosts.rejection(of: request(.put, to: "evil.example", [.origin: "http://evil.example"]))

        #expect(rejection == .hostNotAllowed("evil.example"))
    }

    @Test func `A cross-origin request that changes something is refused`() {
        #expect(local.rejection(of: request(.put, to: "localhost", [.origin: "http://evil.example"])) == .crossOrigin)
        #expect(local.rejection(of: request(.put, to: "localhost", [.origin: "http://localhost"])) == nil)
        #expect(local.rejection(of: request(.get, to: "localhost", [.origin: "http://evil.example"])) == nil)
    }
}
