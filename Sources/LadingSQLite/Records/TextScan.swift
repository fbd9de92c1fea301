import Foundation

/// A search for rows that contain all of some words, in chunks of folded text.
struct TextScan {
    private typealias Lanes = SIMD32<UInt8>

    private let words: [[UInt8]]

    /// - Parameter words: At least one word; none is empty.
    init(_ words: [[UInt8]]) {
        precondition(!words.isEmpty && words.allSatisfy { !$0.isEmpty })
        self.words = words
    }

    /// Returns the slots of the rows in a chunk that contain all words, in order.
    ///
    /// Each word is searched from the row of the farthest hit, because earlier rows lack the word of that hit. So frequent words that never occur
    /// together cost little more than one pass over the text.
    func slots(in chunk: UnsafeRawBufferPointer) -> [Int] {
        var slots: [Int] = []
        var hits = [Int](repeating: -1, count: words.count)
        var (slot, counted, row) = (0, 0, 0)
        while let farthest = advance(&hits, in: chunk, to: row) {
            row = rowStart(of: farthest, in: chunk, from: row)
            guard hits.allSatisfy({ $0 >= row }) else { continue }
            slot += zeros(in: chunk, counted..<row)
            counted = row
            slots.append(slot)
            guard let base = chunk.baseAddress, let end = memchr(base + farthest, 0, chunk.count - farthest) else { break }
            row = UnsafeRawPointer(end) - base + 1
        }
        return slots
    }

    /// Moves each hit before a row to the next one at or after its start. Returns the farthest hit; nil if a word has no further hit.
    private func advance(_ hits: inout [Int], in chunk: UnsafeRawBufferPointer, to row: Int) -> Int? {
        var farthest = 0
        for index in words.indices {
            if hits[index] < row {
                guard let hit = find(words[index], in: chunk, from: row) else { return nil }
                hits[index] = hit
            }
            farthest = max(farthest, hits[index])
        }
        return farthest
    }

    /// Returns the start of the row at an offset, at least `from`.
    private func rowStart(of offset: Int, in chunk: UnsafeRawBufferPointer, from: Int) -> Int {
        let zero = Lanes(repeating: 0)
        var start = offset
        while start - Lanes.scalarCount >= from {
            guard Hits(chunk.loadUnaligned(fromByteOffset: start - Lanes.scalarCount, as: Lanes.self) .== zero).isEmpty else { break }
            start -= Lanes.scalarCount
        }
        while start > from, chunk[start - 1] != 0 { start -= 1 }
        return start
    }

    /// Returns the number of zero bytes in a range; the loop is auto-vectorized.
    private func zeros(in chunk: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        var count = 0
        for offset in range { count &+= chunk[offset] == 0 ? 1 : 0 }
        return count
    }

    /// Returns the offset of the first occurrence of a word at or after an offset.
    ///
    /// Compares the first and last byte of the word at 32 offsets at once, and the remaining bytes where both match.
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

    /// An iterator over the set lanes of a mask.
    private struct Hits {
        /// The lanes, eight in each word, the first one in the lowest byte.
        private var words: SIMD4<UInt64>

        init(_ mask: SIMDMask<SIMD32<Int8>>) {
            // Proof: both are 32 bytes without padding, and a lane of a mask is all ones or all zeros.
            words = unsafeBitCast(mask, to: SIMD4<UInt64>.self)
        }

        var isEmpty: Bool { words[0] | words[1] | words[2] | words[3] == 0 }

        mutating func next() -> Int? {
            guard !isEmpty else { return nil }
            for index in 0..<4 where words[index] != 0 {
                let lane = words[index].littleEndian.trailingZeroBitCount / 8
                words[index] &= ~(UInt64(0xFF) << UInt64(8 * lane)).littleEndian
                return 8 * index + lane
            }
            return nil
        }
    }
}
