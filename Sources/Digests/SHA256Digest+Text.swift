import Crypto

extension SHA256Digest {
    /// The digest as 64 hexadecimal digits.
    var hexString: String {
        map { byte in (byte < 0x10 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
