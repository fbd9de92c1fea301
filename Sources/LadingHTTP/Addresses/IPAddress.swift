import Foundation

/// An IPv4 or IPv6 address, without port and zone.
public enum IPAddress: Hashable, Sendable {
    /// The four bytes, the first one most significant.
    case v4(UInt32)
    /// The first eight bytes and the last eight, each with the first one most significant.
    case v6(high: UInt64, low: UInt64)

    /// Parses `192.0.2.1` or `2001:db8::1`, with or without a zone such as `%eth0`; nil for other notations, such as `127.1`.
    public init?(_ text: some StringProtocol) {
        let address = text.prefix { $0 != "%" }
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, String(address), &v4) == 1 {
            self.init(bytes: withUnsafeBytes(of: v4) { Array($0) })
        } else if inet_pton(AF_INET6, String(address), &v6) == 1 {
            self.init(bytes: withUnsafeBytes(of: v6) { Array($0) })
        } else {
            return nil
        }
    }

    /// Creates an address from four or sixteen bytes in network order; nil for another count.
    public init?(bytes: some Collection<UInt8>) {
        func number<Number: FixedWidthInteger>(_ part: some Collection<UInt8>) -> Number {
            part.reduce(0) { $0 << 8 | Number($1) }
        }
        switch bytes.count {
        case 4: self = .v4(number(bytes))
        case 16: self = .v6(high: number(bytes.prefix(8)), low: number(bytes.dropFirst(8)))
        default: return nil
        }
    }

    /// Whether it is a loopback address: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        switch embeddedAddress {
        case .v4(let value): value >> 24 == 127
        case .v6(let high, let low): high == 0 && low == 1
        }
    }
}
