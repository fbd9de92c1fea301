extension IPAddress {
    /// Whether the address is public: everywhere on the Internet it is the same machine.
    ///
    /// The ranges in the IANA registries of special-purpose addresses (RFC 6890, RFC 8190) are not public: loopback, private, shared and link-local
    /// addresses, which include the metadata services of clouds, multicast, documentation, benchmarks and reserved ranges. An IPv4 address embedded
    /// in an IPv6 address is judged as IPv4.
    package var isPublic: Bool {
        switch embeddedAddress {
        case .v4(let value):
            !Self.specialV4.contains { value >> (32 - $0.length) == $0.prefix >> (32 - $0.length) }
        case .v6(let high, _):
            // Of IPv6 only 2000::/3 is allocated (RFC 4291 §2.4, RFC 3587).
            high >> 61 == 0b001 && !Self.specialV6.contains { high >> (64 - $0.length) == $0.prefix >> (64 - $0.length) }
        }
    }

    /// The embedded IPv4 address; the address itself without one.
    var embeddedAddress: IPAddress {
        guard case .v6(let high, let low) = self else { return self }
        if high == 0, low >> 32 == 0xFFFF { return .v4(UInt32(truncatingIfNeeded: low)) }  // ::ffff:0:0/96, RFC 4291 §2.5.5.2
        if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 { return .v4(UInt32(truncatingIfNeeded: low)) }  // NAT64, RFC 6052 §2.1
        if high >> 48 == 0x2002 { return .v4(UInt32(truncatingIfNeeded: high >> 16)) }  // 6to4, RFC 3056 §2
        return self
    }

    /// The special-purpose ranges of https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast.
    private static let specialV4: [(prefix: UInt32, length: UInt32)] = [
        (0x0000_0000, 8),  // this network, RFC 791 §3.2
        (0x0A00_0000, 8),  // private, RFC 1918
        (0x6440_0000, 10),  // shared by the customers of a provider, RFC 6598
        (0x7F00_0000, 8),  // loopback, RFC 1122 §3.2.1.3
        (0xA9FE_0000, 16),  // link-local, RFC 3927
        (0xAC10_0000, 12),  // private, RFC 1918
        (0xC000_0000, 24),  // protocol assignments, RFC 6890 §2.1
        (0xC000_0200, 24),  // documentation, RFC 5737
        (0xC058_6300, 24),  // 6to4 relays, deprecated, RFC 7526
        (0xC0A8_0000, 16),  // private, RFC 1918
        (0xC612_0000, 15),  // benchmarks, RFC 2544
        (0xC633_6400, 24),  // documentation, RFC 5737
        (0xCB00_7100, 24),  // documentation, RFC 5737
        (0xE000_0000, 4),  // multicast, RFC 5771
        (0xF000_0000, 4),  // reserved, RFC 1112 §4, and the broadcast address
    ]

    /// The special-purpose ranges of https://www.iana.org/assignments/iana-ipv6-special-registry within 2000::/3.
    private static let specialV6: [(prefix: UInt64, length: UInt64)] = [
        (0x2001_0000_0000_0000, 23),  // protocol assignments, RFC 2928: Teredo, benchmarks, ORCHID
        (0x2001_0DB8_0000_0000, 32),  // documentation, RFC 3849
        (0x3FFF_0000_0000_0000, 20),  // documentation, RFC 9637
    ]
}
