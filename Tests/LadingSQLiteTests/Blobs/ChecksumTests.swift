import FileChecksums
import Foundation
import StoreFixtures
import Testing

@Suite struct ChecksumTests {
    /// Values of the XXH64 specification and its reference implementation.
    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func `Checksums equal those of the reference implementation`(text: String, sum: UInt64) {
        #expect(Checksum.of(text.utf8) == sum)
    }

    @Test func `Every bit changes the checksum`() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8($0) }
            var sums: Set<UInt64> = [Checksum.of(bytes), Checksum.of(bytes, seed: 1)]
            for index in bytes.indices {
                var changed = bytes
                changed[index] ^= 1 << UInt8(index % 8)
                sums.insert(Checksum.of(changed))
            }
            #expect(sums.count == count + 2, "\(count) bytes")
        }
    }

    @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1, (2 << 20) + 7])
    func `The checksum of a file is that of its parts of 1 MiB, each seeded with the one before`(length: Int) throws {
        let folder = try StoreFolder("data")
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 13)) }
        try Data(bytes).write(to: folder.file)

        let sum = try ChecksumFile(of: folder.file).checksum()

        let parts = stride(from: 0, to: length, by: 1 << 20).map { bytes[$0..<min($0 + (1 << 20), length)] }
        #expect(sum == "\(length) \(String(parts.reduce(0) { Checksum.of($1, seed: $0) }, radix: 16))\n")
    }
}
