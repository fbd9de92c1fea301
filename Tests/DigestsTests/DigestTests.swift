import Digests
import Testing

@Suite struct DigestTests {
    /// The examples of NIST (FIPS 180-4) and of RFC 6234 §8.5.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 has the digests of the standard`(text: String, digest: String) {
        #expect(SHA256.hash(data: text.utf8).hexString == digest)
    }

    @Test(arguments: [
        (
            "",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ])
    func `SHA-512 has the digests of the standard`(text: String, digest: String) {
        #expect(SHA512.hash(data: text.utf8).hexString == digest)
    }

    @Test func `The digest of a million bytes is that of the standard`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)

        #expect(SHA256.hash(data: bytes).hexString == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 1000])
    func `Parts of any size have the digest of the whole`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var (short, long) = (SHA256(), SHA512())

        for start in stride(from: 0, to: count, by: 7) {
            short.update(data: bytes[start..<min(start + 7, count)])
            long.update(data: bytes[start..<min(start + 7, count)])
        }

        #expect(short.finalize() == SHA256.hash(data: bytes))
        #expect(long.finalize() == SHA512.hash(data: bytes))
    }

    @Test func `Each byte has two hexadecimal digits in lower case`() {
        #expect([0, 1, 0x0F, 0x10, 0xAB, 0xFF].hexString == "00010f10abff")
        #expect([0xAB, 0xCD].prefix(1).hexString == "ab" && [UInt8]().hexString.isEmpty)
    }
}
