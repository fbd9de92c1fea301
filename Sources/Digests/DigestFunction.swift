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
        map { byte in (byte < 0x10 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
