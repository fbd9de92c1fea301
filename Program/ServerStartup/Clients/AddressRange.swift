/// A range of addresses with a common prefix, in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3).
package struct AddressRange: Hashable, Sendable {
    private let start: ClientAddress
    /// The length of the prefix, in bits of 128.
    private let length: Int

    /// Parses `10.0.0.0/8` or `2001:db8::/32`; an address without a length is a range of one.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = ClientAddress(parts[0]), !parts[0].contains("%") else { return nil }
        let isV4 = !parts[0].contains(":")
        let limit = isV4 ? 32 : 128
        var length = limit
        if parts.count == 2 {
            guard parts[1].allSatisfy({ ("0"..."9").contains($0) }), let number = Int(parts[1]), number <= limit else { return nil }
            length = number
        }
        self.init(address, length: isV4 ? length + 96 : length)
    }

    private init(_ address: ClientAddress, length: Int) {
        self.length = length
        start = Self.masked(address, length)
    }

    package func contains(_ address: ClientAddress) -> Bool { Self.masked(address, length) == start }

    private static func masked(_ address: ClientAddress, _ length: Int) -> ClientAddress {
        ClientAddress(high: address.high & mask(min(length, 64)), low: address.low & mask(max(0, length - 64)))
    }

    /// Returns a mask of the first bits of 64.
    private static func mask(_ length: Int) -> UInt64 { UInt64.max << (64 - length) }
}
