import NIOCore
import Testing

@testable import ServerStartup

@Suite struct ClientAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8:0::1"), ("fe80::1%eth0", "fe80::1"),
    ])
    func `Different spellings of an address are equal`(text: String, other: String) throws {
        let address = try #require(ClientAddress(text))

        #expect(address == ClientAddress(other))
    }

    @Test(arguments: [
        "", "localhost", "127.1", "1.2.3.4.5", "2001:db8", "[::1]", "192.0.2.1:80", "256.0.0.1", "192.0.2.1%", "192.0.2.1%, ::1",
    ])
    func `A malformed address is rejected`(text: String) {
        #expect(ClientAddress(text) == nil)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("2001:db8::1", "2001:db8::ffff:2", true),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", false), ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false), ("127.0.0.1", "::1", false),
    ])
    func `The network of an IPv6 client is its /64, that of an IPv4 client its address`(one: String, other: String, isSame: Bool) throws {
        let (one, other) = (try #require(ClientAddress(one)), try #require(ClientAddress(other)))

        #expect((one.network == other.network) == isSame)
    }

    @Test func `An IP socket address has a client address, a Unix socket has none`() throws {
        let (network, file) = (try SocketAddress(ipAddress: "192.0.2.1", port: 80), try SocketAddress(unixDomainSocketPath: "/tmp/socket"))

        #expect(ClientAddress(network) == ClientAddress("192.0.2.1"))
        #expect(ClientAddress(file) == nil)
    }
}

@Suite struct AddressRangeTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3/8", "10.9.9.9", true),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("0.0.0.0/0", "203.0.113.9", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
        ("2001:db8::/65", "2001:db8::7fff:0:0:1", true), ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("::1/128", "::1", true),
        ("::/0", "2001:db8::1", true), ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("::ffff:10.0.0.0/104", "10.0.0.1", true),
    ])
    func `A range contains the addresses with its prefix`(range: String, address: String, isInside: Bool) throws {
        let (range, address) = (try #require(AddressRange(range)), try #require(ClientAddress(address)))

        #expect(range.contains(address) == isInside)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "10.0.0.0/8/8", "proxy/8", "fe80::1%eth0/64",
    ])
    func `A malformed range is rejected`(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
