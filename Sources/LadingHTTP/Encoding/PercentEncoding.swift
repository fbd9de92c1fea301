/// A percent-encoding of text (RFC 3986 §2.1).
package struct PercentEncoding: Sendable {
    /// The encoding of all characters but letters, digits and `-._~` (RFC 3986 §2.3).
    package static let unreserved = PercentEncoding(allowed: alphanumerics.union("-._~".utf8))

    /// The application/x-www-form-urlencoded percent-encode set (WHATWG URL §1.3), with `+` for a space.
    static let form = PercentEncoding(allowed: alphanumerics.union("*-._".utf8), space: UInt8(ascii: "+"))

    /// The encoding of a path of several segments (RFC 3986 §3.3), without changing existing escapes.
    static let path = PercentEncoding(allowed: alphanumerics.union("-._~!$&'()*+,;=:@/%".utf8))

    private static let alphanumerics = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    private let allowed: Set<UInt8>
    /// The replacement of a space; nil for `%20`.
    private let space: UInt8?

    private init(allowed: Set<UInt8>, space: UInt8? = nil) {
        self.allowed = allowed
        self.space = space
    }

    package func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if allowed.contains(byte) {
                bytes.append(byte)
            } else if byte == UInt8(ascii: " "), let space {
                bytes.append(space)
            } else {
                bytes += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
