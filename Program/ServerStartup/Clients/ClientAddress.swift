import Foundation
package import NIOCore

/// The IP address of a client, for limits per client.
///
/// An IPv4 address equals its IPv4-mapped IPv6 address (`::ffff:192.0.2.1`, RFC 4291 §2.5.5.2).
package struct ClientAddress: Hashable, Sendable {
    /// The first eight bytes; IPv4 addresses are mapped to IPv6.
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// Parses `192.0.2.1` or `2001:db8::1`, with or without a zone such as `%eth0`; nil for names and other formats.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count < 2 || Self.isZone(parts[1]) else { return nil }
        let text = String(parts[0])
        var (v4, v6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: v4.s_addr)))
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            let bytes = withUnsafeBytes(of: v6) { Array($0) }
            self.init(high: Self.number(bytes.prefix(8)), low: Self.number(bytes.suffix(8)))
        } else {
            return nil
        }
    }

    /// Creates the address of a peer; nil for a peer without an IP address, such as a Unix socket.
    package init?(_ peer: SocketAddress?) {
        guard let text = peer?.ipAddress else { return nil }
        self.init(text)
    }

    private static func isZone(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 < 0x80 } && text.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// Whether the address is an IPv4 address.
    var isV4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// The network that a provider assigns to one client: an IPv4 address, or an IPv6 /64 (RFC 4291 §2.5.1, RFC 6177).
    package var network: ClientAddress { isV4 ? self : ClientAddress(high: high, low: 0) }
}

extension ClientAddress: CustomStringConvertible {
    /// The address as text that can be parsed again, such as `192.0.2.1`, or eight groups of digits for IPv6.
    package var description: String {
        if isV4 { return [24, 16, 8, 0].map { String(low >> UInt64($0) & 0xFF) }.joined(separator: ".") }
        let groups = [high, low].flatMap { half in [48, 32, 16, 0].map { String(half >> UInt64($0) & 0xFFFF, radix: 16) } }
        return groups.joined(separator: ":")
    }
}
