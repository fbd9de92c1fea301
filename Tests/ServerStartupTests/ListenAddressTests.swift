import Foundation
import HummingbirdCore
import NIOCore
import Testing

@testable import ServerStartup

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "http://127.0.0.1:80"), ("0.0.0.0", "http://127.0.0.1:80"), ("::", "http://[::1]:80"),
        ("fe80::1", "http://[fe80::1]:80"), ("localhost", "http://localhost:80"),
    ])
    func `The base URL is reachable on this machine`(host: String, url: String) {
        let address = ListenAddress(host: host, port: 80)

        #expect(address.baseURL(boundTo: nil).absoluteString == url)
    }

    @Test func `The base URL of a TLS server has https and the bound port`() {
        let address = ListenAddress(port: 0)

        #expect(address.baseURL(boundTo: 4711, isSecure: true).absoluteString == "https://127.0.0.1:4711")
    }

    @Test(arguments: [
        "localhost", "LOCALHOST", "app.localhost", "127.0.0.1", "127.255.0.9", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1",
    ])
    func `Loopback names and addresses are recognized`(host: String) {
        #expect(ListenAddress(host: host, port: 80).isLoopback)
    }

    @Test(arguments: [
        "0.0.0.0", "::", "128.0.0.1", "192.168.0.1", "fe80::1", "::2", "1::1", "::ffff:10.0.0.1", "example.org", "localhost.example.org",
        "127.0.0.1.example.org", "notlocalhost", "",
    ])
    func `Other names and addresses are not loopback`(host: String) {
        #expect(!ListenAddress(host: host, port: 80).isLoopback)
    }

    @Test(arguments: [-1, 65_536]) func `A port out of range is rejected`(port: Int) throws {
        let error = #expect(throws: StartupError.self) { try ListenAddress(port: port).validate() }

        #expect(error?.description == "--port must be from 0 to 65535, not \(port).")
    }

    @Test(arguments: ["", "a b", "a/b", "a:b:c]", "http://a", "[::1]"]) func `An invalid host is rejected`(host: String) {
        let error = #expect(throws: StartupError.self) { try ListenAddress(host: host, port: 80).validate() }

        #expect(error?.description.contains("--host") == true)
    }

    @Test func `The description of a bind error suggests a remedy`() throws {
        let address = ListenAddress(host: "10.1.2.3", port: 80)

        let taken = try #require(StartupError(IOError(errnoCode: EADDRINUSE, reason: "bind"), listeningOn: address))
        let low = try #require(StartupError(IOError(errnoCode: EACCES, reason: "bind"), listeningOn: address))
        let foreign = try #require(StartupError(IOError(errnoCode: EADDRNOTAVAIL, reason: "bind"), listeningOn: address))

        #expect(taken.description.hasPrefix("Port 80 on 10.1.2.3 is in use"))
        #expect(
            low.description == "Port 80 on 10.1.2.3 is not permitted: choose a port above 1023 with --port, "
                + "or give the program the capability CAP_NET_BIND_SERVICE.")
        #expect(
            foreign.description == "Cannot listen on 10.1.2.3, port 80 (\(POSIXError(.EADDRNOTAVAIL).localizedDescription)): "
                + "choose an address of this machine with --host.")
        #expect(StartupError(CancellationError(), listeningOn: address) == nil)
    }
}
