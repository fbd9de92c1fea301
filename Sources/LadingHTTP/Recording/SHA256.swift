/// The digest SHA-256 of bytes that come piece by piece (FIPS 180-4 §6.2).
///
/// It tells bodies apart; nothing that has to be kept secret goes through it.
struct SHA256 {
    private static let blockSize = 64

    private var state: (a: UInt32, b: UInt32, c: UInt32, d: UInt32, e: UInt32, f: UInt32, g: UInt32, h: UInt32) = (
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19
    )
    /// Bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0
    private var schedule = [UInt32](repeating: 0, count: blockSize)

    mutating func update(_ bytes: [UInt8]) {
        byteCount += UInt64(bytes.count)
        let input = rest.isEmpty ? bytes : rest + bytes
        let end = input.count - input.count % Self.blockSize
        input.withUnsafeBytes { buffer in
            for start in stride(from: 0, to: end, by: Self.blockSize) { mix(buffer, from: start) }
        }
        rest = Array(input[end...])
    }

    /// The digest of all that has come, in hexadecimal.
    func finished() -> String {
        var copy = self
        let padding = 1 + (Self.blockSize * 2 - 9 - rest.count) % Self.blockSize
        let length = (0..<8).map { UInt8(truncatingIfNeeded: (byteCount * 8) >> (56 - 8 * $0)) }
        copy.update([0x80] + [UInt8](repeating: 0, count: padding - 1) + length)
        let state = copy.state
        return [state.a, state.b, state.c, state.d, state.e, state.f, state.g, state.h].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private mutating func mix(_ buffer: UnsafeRawBufferPointer, from start: Int) {
        var a = state.a, b = state.b, c = state.c, d = state.d, e = state.e, f = state.f, g = state.g, h = state.h
        schedule.withUnsafeMutableBufferPointer { words in
            Self.constants.withUnsafeBufferPointer { constants in
                for index in 0..<16 {
                    words[index] = UInt32(bigEndian: buffer.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self))
                }
                for index in 16..<64 {
                    let (early, late) = (words[index &- 15], words[index &- 2])
                    let first = early.rotated(7) ^ early.rotated(18) ^ early &>> 3
                    let second = late.rotated(17) ^ late.rotated(19) ^ late &>> 10
                    words[index] = words[index &- 16] &+ first &+ words[index &- 7] &+ second
                }
                var index = 0
                while index < 64 {
                    let choice = (e & f) ^ (~e & g)
                    let first = h &+ (e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)) &+ choice &+ constants[index] &+ words[index]
                    let second = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ ((a & b) ^ (a & c) ^ (b & c))
                    h = g; g = f; f = e; e = d &+ first; d = c; c = b; b = a; a = first &+ second
                    index &+= 1
                }
            }
        }
        state = (state.a &+ a, state.b &+ b, state.c &+ c, state.d &+ d, state.e &+ e, state.f &+ f, state.g &+ g, state.h &+ h)
    }

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}
