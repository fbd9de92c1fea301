/// A table of key hashes, each with a slot: a small index for arrays and linked lists.
///
/// It uses open addressing with linear probing, reuses removed slots and needs no tombstones. Hashes must be well distributed, since they are not
/// mixed again.
@usableFromInline
struct KeyTable: Sendable {
    @usableFromInline
    struct Bucket: Sendable {
        /// The upper half of the hash, which excludes nearly all other keys.
        @usableFromInline let tag: UInt32
        @usableFromInline let slot: Int32

        init(tag: UInt32, slot: Int32) {
            self.tag = tag
            self.slot = slot
        }

        @inlinable var isFree: Bool { slot < 0 }

        static let free = Bucket(tag: 0, slot: -1)
    }

    /// The hash of each slot; a free slot retains its last one.
    @usableFromInline private(set) var hashes: [UInt64] = []
    private(set) var costs: [Int] = []
    /// The buckets by hash; at most half of them are in use.
    @usableFromInline private(set) var buckets = [Bucket](repeating: .free, count: 16)
    private var freeSlots: [Int32] = []

    init() {}

    /// The number of keys.
    var count: Int { hashes.count - freeSlots.count }

    /// Returns the slot of a hash; nil without one.
    func slot(of hash: UInt64) -> Int? { slot(of: hash) { hashes[$0] == hash } }

    /// Returns the slot of a key that the caller compares itself.
    @inlinable
    func slot(of hash: UInt64, where matches: (Int) -> Bool) -> Int? {
        let mask = buckets.count - 1
        let tag = UInt32(truncatingIfNeeded: hash >> 32)
        var index = Int(truncatingIfNeeded: hash) & mask
        while !buckets[index].isFree {
            if buckets[index].tag == tag, matches(Int(buckets[index].slot)) { return Int(buckets[index].slot) }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Adds a hash that is not in the table, and returns its slot.
    mutating func add(_ hash: UInt64, cost: Int) -> Int {
        if 2 * (count + 1) > buckets.count { grow() }
        let slot: Int
        if let reused = freeSlots.popLast() {
            slot = Int(reused)
            hashes[slot] = hash
            costs[slot] = cost
        } else {
            slot = hashes.count
            hashes.append(hash)
            costs.append(cost)
        }
        insertBucket(for: slot)
        return slot
    }

    /// Removes the hash of a slot, which becomes free.
    mutating func remove(_ slot: Int) {
        let mask = buckets.count - 1
        var index = idealBucket(of: hashes[slot])
        while buckets[index].slot != Int32(slot) { index = (index + 1) & mask }
        closeGap(at: index)
        freeSlots.append(Int32(slot))
    }

    private func idealBucket(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (buckets.count - 1) }

    private mutating func insertBucket(for place: Int) {
        let hash = hashes[place]
        var index = idealBucket(of: hash)
        while !buckets[index].isFree { index = (index + 1) & (buckets.count - 1) }
        buckets[index] = Bucket(tag: UInt32(truncatingIfNeeded: hash >> 32), slot: Int32(place))
    }

    /// Moves displaced buckets towards their ideal positions (D. Knuth, The Art of Computer Programming 6.4, algorithm R).
    private mutating func closeGap(at start: Int) {
        let mask = buckets.count - 1
        var gap = start
        var index = (gap + 1) & mask
        while !buckets[index].isFree {
            if (index - idealBucket(of: hashes[Int(buckets[index].slot)])) & mask >= (index - gap) & mask {
                buckets[gap] = buckets[index]
                gap = index
            }
            index = (index + 1) & mask
        }
        buckets[gap] = .free
    }

    private mutating func grow() {
        let filled = buckets.filter { !$0.isFree }
        buckets = [Bucket](repeating: .free, count: 2 * buckets.count)
        for bucket in filled { insertBucket(for: Int(bucket.slot)) }
    }
}
