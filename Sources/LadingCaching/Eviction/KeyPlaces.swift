/// Keys, known by their hashes, each with a place: a small number by which lists and arrays know it.
///
/// A hash table with open addressing and linear probing; removed places are used again, and no tombstones are left behind. The hashes have to be
/// good ones: no bit of them is stirred again.
@usableFromInline
struct KeyPlaces: Sendable {
    @usableFromInline
    struct Cell: Sendable {
        /// The higher half of the hash, by which nearly all other keys are told apart without looking further.
        @usableFromInline let tag: UInt32
        @usableFromInline let place: Int32

        init(tag: UInt32, place: Int32) {
            self.tag = tag
            self.place = place
        }

        @inlinable var isFree: Bool { place < 0 }

        static let free = Cell(tag: 0, place: -1)
    }

    /// The hash at each place; one that is not in use keeps its last.
    @usableFromInline private(set) var hashes: [UInt64] = []
    private(set) var costs: [Int] = []
    /// Places by hash; at most half of them are in use.
    @usableFromInline private(set) var cells = [Cell](repeating: .free, count: 16)
    private var unused: [Int32] = []

    init() {}

    /// How many keys there are.
    var count: Int { hashes.count - unused.count }

    /// The place of a key; nil when it has none.
    func place(of hash: UInt64) -> Int? { place(of: hash) { hashes[$0] == hash } }

    /// The place of a key of which only its owner can tell for certain that it is the one.
    @inlinable
    func place(of hash: UInt64, where isMeant: (Int) -> Bool) -> Int? {
        let mask = cells.count - 1
        let tag = UInt32(truncatingIfNeeded: hash >> 32)
        var index = Int(truncatingIfNeeded: hash) & mask
        while !cells[index].isFree {
            if cells[index].tag == tag, isMeant(Int(cells[index].place)) { return Int(cells[index].place) }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Gives a key a place; it must have none.
    mutating func add(_ hash: UInt64, cost: Int) -> Int {
        if 2 * (count + 1) > cells.count { grow() }
        let place: Int
        if let reused = unused.popLast() {
            place = Int(reused)
            hashes[place] = hash
            costs[place] = cost
        } else {
            place = hashes.count
            hashes.append(hash)
            costs.append(cost)
        }
        fill(place)
        return place
    }

    /// Takes the place from the key that has it.
    mutating func remove(_ place: Int) {
        let mask = cells.count - 1
        var index = home(of: hashes[place])
        while cells[index].place != Int32(place) { index = (index + 1) & mask }
        closeGap(at: index)
        unused.append(Int32(place))
    }

    private func home(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (cells.count - 1) }

    private mutating func fill(_ place: Int) {
        let hash = hashes[place]
        var index = home(of: hash)
        while !cells[index].isFree { index = (index + 1) & (cells.count - 1) }
        cells[index] = Cell(tag: UInt32(truncatingIfNeeded: hash >> 32), place: Int32(place))
    }

    /// Moves what was pushed aside by a cell back towards where it belongs (D. Knuth, The Art of Computer Programming 6.4, algorithm R).
    private mutating func closeGap(at start: Int) {
        let mask = cells.count - 1
        var gap = start
        var index = (gap + 1) & mask
        while !cells[index].isFree {
            if (index - home(of: hashes[Int(cells[index].place)])) & mask >= (index - gap) & mask {
                cells[gap] = cells[index]
                gap = index
            }
            index = (index + 1) & mask
        }
        cells[gap] = .free
    }

    private mutating func grow() {
        let filled = cells.filter { !$0.isFree }
        cells = [Cell](repeating: .free, count: 2 * cells.count)
        for cell in filled { fill(Int(cell.place)) }
    }
}
