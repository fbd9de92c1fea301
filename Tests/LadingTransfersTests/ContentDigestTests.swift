import Foundation
import Testing
@testable import LadingTransfers

@Suite struct ContentDigestTests {
    @Test(
        arguments: [
            ("sha-256=:AQID:", ["sha-256": [1, 2, 3]]), ("SHA-256=:AQID:, sha-512=:BA==:;q=1", ["sha-256": [1, 2, 3], "sha-512": [4]]),
            ("sha-256=AQID", [:]), ("sha-256=:A:", [:]), ("sha-256", [:]), ("", [:]), ("=:AQID:", [:]),
        ] as [(String, [String: [UInt8]])])
    func `Digests are parsed from a header field`(field: String, values: [String: [UInt8]]) {
        #expect(ContentDigest.values(in: field) == values)
    }

    /// The example of FIPS 180-2, appendix B.1.
    @Test func `SHA-256 is computed incrementally`() {
        let computation = ContentDigest.sha256.makeRunningDigest()
        computation.update([0x61])
        computation.update([0x62, 0x63])

        #expect(Data(computation.finish()).base64EncodedString() == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    }
}
