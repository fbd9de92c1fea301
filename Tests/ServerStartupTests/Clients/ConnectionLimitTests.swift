import NIOCore
import NIOEmbedded
import Testing

@testable import ServerStartup

@Suite struct ConnectionLimitTests {
    private let counts: ConnectionCounts

    init() throws {
        counts = ConnectionCounts(ClientLimits(connections: 2, proxies: TrustedProxies([try #require(AddressRange("10.0.0.0/8"))])))
    }

    /// A connection from an address.
    private func connection(from host: String, in others: ConnectionCounts? = nil) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ConnectionLimit(others ?? counts))
        let address = try SocketAddress(ipAddress: host, port: 4711)
        channel.remoteAddress = address
        try channel.connect(to: address).wait()
        return channel
    }

    @Test func `A client has so many connections, and another one when one of them is closed`() throws {
        let first = try connection(from: "192.0.2.1")
        let second = try connection(from: "192.0.2.1")
        let third = try connection(from: "192.0.2.1")
        #expect(first.isActive && second.isActive && !third.isActive)

        try first.close().wait()
        let fourth = try connection(from: "192.0.2.1")
        let fifth = try connection(from: "192.0.2.1")

        #expect(fourth.isActive && !fifth.isActive)
    }

    @Test(arguments: [
        (["192.0.2.1", "192.0.2.1", "192.0.2.2"], true), (["2001:db8::1", "2001:db8::2", "2001:db8::3"], false),
        (["2001:db8::1", "2001:db8::1", "2001:db8:0:1::1"], true), (["10.0.0.1", "10.0.0.1", "10.0.0.1"], true),
    ])
    func `Clients are distinguished by their networks, and trusted proxies are not limited`(hosts: [String], isLastOpen: Bool) throws {
        let connections = try hosts.map { try connection(from: $0) }

        #expect(connections.dropLast().allSatisfy { $0.isActive })
        #expect(connections.last?.isActive == isLastOpen)
    }

    @Test func `Without a limit a client has any number of connections`() throws {
        let counts = ConnectionCounts(ClientLimits(connections: nil))

        let connections = try (0...ClientLimits.defaultConnections).map { _ in try connection(from: "192.0.2.1", in: counts) }

        #expect(connections.allSatisfy { $0.isActive })
    }
}
