import Crypto

extension SHA256Digest {
    /// As recordings have it: 64 digits.
    var hexString: String {
        map { byte in (byte < 0x10 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
