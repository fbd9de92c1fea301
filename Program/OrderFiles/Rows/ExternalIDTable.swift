/// The external ids of a file with the rows that they occur in first.
///
/// It contains a 64-bit hash of each id, seeded by the process, and no text: at most 24 bytes for each. Two of a million ids have the same
/// hash with a probability of 3 in 100 million; one of them is then reported as a duplicate.
struct ExternalIDTable: Sendable {
    /// The number of parts, which grow one after the other, so that a growing table is never there twice.
    private static let partCount = 64

    private var parts = [Part](repeating: Part(), count: partCount)

    /// The number of bytes that the table has allocated.
    var allocatedByteCount: Int { parts.reduce(0) { $0 + $1.allocatedByteCount } }

    /// Inserts the id of a row; returns the first row with the same id if there is one.
    mutating func insert(_ id: Span<UInt8>, row: Int) -> Int? {
        let hash = Self.hash(id)
        return parts[Int(truncatingIfNeeded: hash) & (Self.partCount - 1)].insert(hash, UInt32(truncatingIfNeeded: row)).map { Int($0) }
    }

    private static func hash(_ id: Span<UInt8>) -> UInt64 {
        var hasher = Hasher()
        id.withUnsafeBytes { hasher.combine(bytes: $0) }
        return max(UInt64(truncatingIfNeeded: hasher.finalize()), 1)
    }

    /// The ids whose hashes have the same last bits: an open-addressing hash table with linear probing.
    private struct Part: Sendable {
        /// The hashes by slot; zero in free slots.
        private var hashes: [UInt64] = [0]
        private var rows: [UInt32] = [0]
        private var count = 0

        var allocatedByteCount: Int { hashes.capacity * 8 + rows.capacity * 4 }

        mutating func insert(_ hash: UInt64, _ row: UInt32) -> UInt32? {
            if count * 4 >= hashes.count * 3 { grow() }
            let slot = slot(of: hash)
            guard hashes[slot] == 0 else { return rows[slot] }
            (hashes[slot], rows[slot]) = (hash, row)
            count += 1
            return nil
        }

        /// Returns the slot of a hash, or the free slot for it.
        private func slot(of hash: UInt64) -> Int {
            var slot = Int(hash.multipliedFullWidth(by: UInt64(hashes.count)).high)
            while hashes[slot] != 0, hashes[slot] != hash { slot = slot + 1 == hashes.count ? 0 : slot + 1 }
            return slot
        }

        private mutating func grow() {
            let (oldHashes, oldRows) = (hashes, rows)
            let slotCount = hashes.count + hashes.count / 2 + 16
            hashes = [UInt64](repeating: 0, count: slotCount)
            rows = [UInt32](repeating: 0, count: slotCount)
            for (hash, row) in zip(oldHashes, oldRows) where hash != 0 {
                let slot = slot(of: hash)
                (hashes[slot], rows[slot]) = (hash, row)
            }
        }
    }
}
