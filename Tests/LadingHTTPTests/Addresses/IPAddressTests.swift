import LadingHTTP
import Testing

@Suite struct IPAddressTests {
    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "93.184.216.34", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
        "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
        "223.255.255.255", "2001:200::1", "2606:4700::1111", "2a00:1450:4001::8a", "::ffff:93.184.216.34", "64:ff9b::5db8:d822",
        "2002:5db8:d822::1", "3ffe:ffff::1",
    ])
    func `A global unicast address is public`(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        // this network, loopback
        "0.0.0.0", "0.255.255.255", "127.0.0.1", "127.255.255.255", "::", "::1",
        // private, shared, link-local, which includes the metadata service of clouds
        "10.0.0.1", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.1", "192.168.255.255", "100.64.0.0", "100.127.255.255",
        "169.254.0.0", "169.254.169.254", "fc00::1", "fd12:3456::1", "fdff::", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1",
        // multicast, broadcast, reserved
        "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "ff02::1", "4000::1", "5f00::1", "100::1",
        // assignments, benchmarks, documentation
        "192.0.0.8", "192.0.2.1", "192.88.99.1", "198.18.0.0", "198.19.255.255", "198.51.100.7", "203.0.113.7", "2001::1", "2001:2::1",
        "2001:10::1", "2001:db8::1", "3fff::1", "3fff:fff:ffff::1",
        // IPv4 embedded in IPv6
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::5db8:d822",
        "2002:7f00:1::", "2002:c0a8:1::1", "::7f00:1", "::93.184.216.34",
    ])
    func `A special-purpose address is not public`(text: String) throws {
        #expect(try !#require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "", "localhost", "example.org", "2130706433", "0x7f.1", "0x7f.0.0.1", "127.1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "[::1]", ":::",
    ])
    func `Text that is not an address in standard notation is rejected`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `Bytes are parsed in network order`() {
        #expect(IPAddress(bytes: [192, 168, 0, 1]) == IPAddress("192.168.0.1"))
        #expect(IPAddress(bytes: [0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1]) == IPAddress("2001:db8::1"))
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
    }

    @Test func `The policy publicOnly allows only public addresses`() throws {
        let (near, far) = (try #require(IPAddress("10.0.0.1")), try #require(IPAddress("1.1.1.1")))

        #expect([near, far].map(AddressPolicy.any.allows) == [true, true])
        #expect([near, far].map(AddressPolicy.publicOnly.allows) == [false, true])
    }
}
