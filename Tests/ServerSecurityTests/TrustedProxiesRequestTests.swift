import HTTPTypes
import NIOCore
import ServerSecurity
import ServerStartup
import Testing

@Suite struct TrustedProxiesRequestTests {
    private let proxies: TrustedProxies

    init() throws {
        proxies = TrustedProxies([try #require(AddressRange("10.0.0.0/8"))])
    }

    private func client(from peer: String?, _ fields: HTTPFields = [:]) throws -> ClientAddress? {
        let request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/", headerFields: fields)
        return proxies.client(of: request, from: try peer.map { try SocketAddress(ipAddress: $0, port: 4711) })
    }

    @Test(arguments: [("Forwarded", "for=192.0.2.1"), ("X-Forwarded-For", "192.0.2.1")])
    func `The client of a request is read from the fields of a trusted proxy`(name: String, value: String) throws {
        let fields: HTTPFields = [try #require(HTTPField.Name(name)): value]

        #expect(try client(from: "10.0.0.1", fields) == ClientAddress("192.0.2.1"))
        #expect(try client(from: "198.51.100.1", fields) == ClientAddress("198.51.100.1"))
    }

    @Test func `An IPv6 client is its network, and a connection without an address has no client`() throws {
        #expect(try client(from: "2001:db8::1") == ClientAddress("2001:db8::"))
        #expect(try client(from: nil) == nil)
    }
}
