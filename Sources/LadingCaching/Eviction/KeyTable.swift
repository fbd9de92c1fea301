/// Keys, known by their hashes, each with a place: a small number by which lists and arrays know it.
///
/// A hash table with open addressing and linear probing; removed places are used again, and no tombstones are left behind. The hashes have to be
/// good ones: no bit of them is stirred again.
@usableFromInline
struct KeyTable: Sendable {
    @usableFromInline
    struct Bucket: Sendable {
        /// The higher half of the hash, by which nearly all other keys are told apart without looking further.
        @usableFromInline let tag: UInt32
        @usableFromInline let slot: Int32

        init(tag: UInt32, slot: Int32) {
            self.tag = tag
            self.slot = slot
        }

        @inlinable var isFree: Bool { slot < 0 }

        static let free = Bucket(tag: 0, slot: -1)
    }

    /// The hash at each place; one that is not in use keeps its last.
    @usableFromInline private(set) var hashes: [UInt64] = []
    private(set) var costs: [Int] = []
    /// Places by hash; at most half of them are in use.
    @usableFromInline private(set) var buckets = [Bucket](repeating: .free, count: 16)
    private var freeSlots: [Int32] = []

    init() {}

    /// How many keys there are.
    var count: Int { hashes.count - freeSlots.count }

    /// The place of a key; nil when it has none.
    func slot(of hash: UInt64) -> Int? { slot(of: hash) { hashes[$0] == hash } }

    /// The place of a key of which only its owner can tell for certain that it is the one.
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

    /// Gives a key a place; it must have none.
    mutating func add(_ hash: UInt64, cost: Int) -> Int {
        if 2 * (count + 1) > buckets.count { grow() }
        let place: Int
        if let reused = freeSlots.popLast() {
            place = Int(reused)
            hashes[place] = hash
            costs[place] = cost
        } else {
            place = hashes.count
            hashes.append(hash)
            costs.append(cost)
        }
        insertBucket(for: place)
        return place
    }

    /// Takes the place from the key that has it.
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

    /// Moves what was pushed aside by a cell back towards where it belongs (D. Knuth, The Art of Computer Programming 6.4, algorithm R).
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
        for cell in filled { insertBucket(for: Int(cell.slot)) }
    }
}
