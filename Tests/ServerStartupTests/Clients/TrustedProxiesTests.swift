import Testing

@testable import ServerStartup

@Suite struct TrustedProxiesTests {
    private func client(
        of peer: String, through ranges: [String] = ["10.0.0.0/8", "2001:db8:ffff::/48"], forwarded: [String] = [],
        forwardedFor: [String] = []
    ) throws -> ClientAddress {
        let proxies = TrustedProxies(ranges.compactMap { AddressRange($0) })
        return proxies.client(of: try #require(ClientAddress(peer)), forwarded: forwarded, forwardedFor: forwardedFor)
    }

    @Test func `An untrusted peer is the client, whatever its fields contain`() throws {
        let addresses = ["198.51.100.7"]

        #expect(
            try client(of: "192.0.2.1", forwarded: addresses.map { "for=\($0)" }, forwardedFor: addresses) == ClientAddress("192.0.2.1"))
        #expect(try client(of: "10.0.0.1", through: [], forwardedFor: addresses) == ClientAddress("10.0.0.1"))
    }

    @Test(arguments: [
        (["192.0.2.1"], "192.0.2.1"),
        (["198.51.100.7, 192.0.2.1"], "192.0.2.1"),
        (["198.51.100.7", "192.0.2.1 , 10.0.0.9"], "192.0.2.1"),
        (["192.0.2.1:4711"], "192.0.2.1"), (["2001:db8::1"], "2001:db8::1"), (["[2001:db8::1]:80"], "2001:db8::1"),
        (["10.0.0.2, 10.0.0.3"], "10.0.0.2"),
        (["192.0.2.1, unknown"], "10.0.0.1"), ([""], "10.0.0.1"), ([], "10.0.0.1"), (["192.0.2.1, , 10.0.0.3"], "192.0.2.1"),
    ])
    func `Behind a trusted proxy the client is the last untrusted address`(values: [String], expected: String) throws {
        #expect(try client(of: "10.0.0.1", forwardedFor: values) == ClientAddress(expected))
    }

    @Test(arguments: [
        (["for=192.0.2.1"], "192.0.2.1"), (["by=10.0.0.1; For=\"192.0.2.1:80\";proto=https"], "192.0.2.1"),
        (["for=198.51.100.7, for=\"[2001:db8::1]:4711\""], "2001:db8::1"), (["for=\"192.0.2.1\", for=10.0.0.4"], "192.0.2.1"),
        (["for=_hidden"], "10.0.0.1"), (["proto=https"], "10.0.0.1"), (["for=192.0.2.1;by=\"a,for=198.51.100.7\""], "192.0.2.1"),
    ])
    func `The client is also read from Forwarded`(values: [String], expected: String) throws {
        #expect(try client(of: "10.0.0.1", forwarded: values) == ClientAddress(expected))
    }

    /// A client sends the beginning of each value, and its proxy appends the rest.
    @Test(arguments: [
        "198.51.100.7%\u{600}, 192.0.2.1", "198.51.100.7\", 192.0.2.1", "198.51.100.7%\", 192.0.2.1", "[198.51.100.7]\", 192.0.2.1",
        "198.51.100.7:\", 192.0.2.1", "198.51.100.7\u{301}, 192.0.2.1", "\"\u{301}198.51.100.7, 192.0.2.1",
    ])
    func `Nothing that a client sends hides the address that its proxy appends`(value: String) throws {
        #expect(try client(of: "10.0.0.1", forwardedFor: [value]) == ClientAddress("192.0.2.1"))
    }

    @Test(arguments: [
        ("for=198.51.100.7;x=\", for=192.0.2.1", "10.0.0.1"), ("for=\"[2001:db8::1]\\\", for=192.0.2.1", "10.0.0.1"),
        ("for=\"[2001:db8::1]x\", for=10.0.0.4", "10.0.0.4"), ("for=[198.51.100.7]\", for=192.0.2.1", "10.0.0.1"),
        ("for=198.51.100.7;x=\"\u{301}\", for=192.0.2.1", "192.0.2.1"), ("for=\"\u{301}198.51.100.7\"", "10.0.0.1"),
    ])
    func `A quoted string of a client that does not end makes the client unknown`(value: String, expected: String) throws {
        #expect(try client(of: "10.0.0.1", forwarded: [value]) == ClientAddress(expected))
    }

    @Test func `Fields that disagree are ignored`() throws {
        let agreeing = try client(of: "10.0.0.1", forwarded: ["for=192.0.2.1"], forwardedFor: ["192.0.2.1"])
        let disagreeing = try client(of: "10.0.0.1", forwarded: ["for=198.51.100.7"], forwardedFor: ["192.0.2.1"])

        #expect(agreeing == ClientAddress("192.0.2.1"))
        #expect(disagreeing == ClientAddress("10.0.0.1"))
    }
}
