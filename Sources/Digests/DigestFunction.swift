/// A digest computation that consumes bytes in any number of parts.
package protocol DigestFunction: Sendable {
    init()

    mutating func update(data: some Sequence<UInt8>)

    /// Returns the digest of all bytes. The function must not be used afterwards.
    mutating func finalize() -> [UInt8]
}

extension DigestFunction {
    /// Returns the digest of some bytes.
    package static func hash(data: some Sequence<UInt8>) -> [UInt8] {
        var function = Self()
        function.update(data: data)
        return function.finalize()
    }
}

extension Sequence<UInt8> {
    /// The bytes as hexadecimal digits, two for each.
    package var hexString: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            digits.append((byte >> 4).hexDigit)
            digits.append((byte & 0xF).hexDigit)
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension UInt8 {
    /// The character of a value less than 16.
    fileprivate var hexDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") + self - 10 }
}
