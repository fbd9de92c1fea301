import Foundation

/// Looks for rows that contain all of some words, in chunks of folded text.
struct TextScan {
    private typealias Lanes = SIMD32<UInt8>

    /// The longest first: it is looked for, and the others where it was found.
    private let words: [[UInt8]]

    /// - Parameter words: At least one, none of them empty.
    init(_ words: [[UInt8]]) {
        precondition(!words.isEmpty && words.allSatisfy { !$0.isEmpty })
        self.words = words
    }

    /// The slots of the rows of a chunk that contain all words, in order.
    func slots(in chunk: UnsafeRawBufferPointer) -> [Int] {
        var slots: [Int] = []
        var (slot, counted, from) = (0, 0, 0)
        while let hit = find(words[0], in: chunk, from: from) {
            slot += zeros(in: chunk, counted..<hit)
            var start = hit
            while start > counted, chunk[start - 1] != 0 { start -= 1 }
            let end = chunk[hit...].firstIndex(of: 0) ?? chunk.count
            let text = UnsafeRawBufferPointer(rebasing: chunk[start..<end])
            if words.dropFirst().allSatisfy({ find($0, in: text, from: 0) != nil }) { slots.append(slot) }
            (counted, from) = (end, end)
        }
        return slots
    }

    /// How many bytes of a range are zero; a loop that the compiler does many bytes at a time.
    private func zeros(in chunk: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        var count = 0
        for offset in range { count &+= chunk[offset] == 0 ? 1 : 0 }
        return count
    }

    /// Where a word begins at or behind an offset.
    ///
    /// Compares the first and the last byte of the word with 32 places at once, and the rest where both fit.
    private func find(_ word: [UInt8], in text: UnsafeRawBufferPointer, from offset: Int) -> Int? {
        let reach = word.count - 1
        var offset = offset
        guard let base = text.baseAddress else { return nil }
        return word.withUnsafeBytes { word in
            let (first, last) = (Lanes(repeating: word[0]), Lanes(repeating: word[reach]))
            while offset + reach + Lanes.scalarCount <= text.count {
                let starts = text.loadUnaligned(fromByteOffset: offset, as: Lanes.self) .== first
                let ends = text.loadUnaligned(fromByteOffset: offset + reach, as: Lanes.self) .== last
                var hits = Hits(starts .& ends)
                while let lane = hits.next() {
                    if reach < 2 || memcmp(base + offset + lane + 1, word.baseAddress! + 1, reach - 1) == 0 { return offset + lane }
                }
                offset += Lanes.scalarCount
            }
            while offset + reach < text.count {
                if memcmp(base + offset, word.baseAddress!, reach + 1) == 0 { return offset }
                offset += 1
            }
            return nil
        }
    }

    /// The lanes that are set in a mask, one after the other.
    private struct Hits {
        /// Eight lanes in each, the first in the lowest byte.
        private var words: SIMD4<UInt64>

        init(_ mask: SIMDMask<SIMD32<Int8>>) {
            // Proof: both are 32 bytes without padding, and a lane of a mask is all ones or all zeros.
            words = unsafeBitCast(mask, to: SIMD4<UInt64>.self)
        }

        mutating func next() -> Int? {
            guard words[0] | words[1] | words[2] | words[3] != 0 else { return nil }
            for index in 0..<4 where words[index] != 0 {
                let lane = words[index].littleEndian.trailingZeroBitCount / 8
                words[index] &= ~(UInt64(0xFF) << UInt64(8 * lane)).littleEndian
                return 8 * index + lane
            }
            return nil
        }
    }
}
