/// The S3-FIFO policy, which filters new keys in a small queue before they enter the main queue.
///
/// A key that is used twice in the small queue moves to the main one; any other becomes a ghost, and enters the main queue directly when it returns
/// in time. Keys stay in the main queue for one more round per use (J. Yang et al., SOSP 2023).
struct S3FIFOPolicy: EvictionPolicy {
    /// The highest counted frequency of a key.
    private static let frequencyLimit: UInt8 = 3
    /// The share of the limit that the small queue has.
    private static let smallShare = 0.1

    private enum Segment: UInt8 {
        case small
        case main
        /// Evicted.
        case ghost
    }

    private let limit: Weight
    private let smallLimit: Weight
    private let mainLimit: Weight
    private var keys = KeyTable()
    private var segments: [Segment] = []
    private var frequencies: [UInt8] = []
    private var links = Links()
    private var small = LinkedList()
    private var main = LinkedList()
    private var ghosts = LinkedList()
    /// Whether the limit has been reached; until then keys that do not fit the small queue enter the main one.
    private var hasEvicted = false

    init(limit: Weight) {
        self.limit = limit
        smallLimit = limit.scaled(by: Self.smallShare)
        mainLimit = limit.subtracting(smallLimit)
    }

    func contains(_ hash: UInt64) -> Bool { keys.slot(of: hash).map { segments[$0] != .ghost } ?? false }

    mutating func access(_ hash: UInt64, cost: Int, evicted: inout [UInt64]) -> Bool {
        let known = keys.slot(of: hash)
        if let known, segments[known] != .ghost, keys.costs[known] == cost {
            frequencies[known] = min(frequencies[known] + 1, Self.frequencyLimit)
            return true
        }
        let added = Weight(cost: cost, count: 1)
        if let known { removeSlot(known) }
        while !(small.weight + main.weight + added).fits(limit), let key = evict() { evicted.append(key) }
        let slot = keys.add(hash, cost: cost)
        if segments.count == slot {
            segments.append(.small)
            frequencies.append(0)
        }
        frequencies[slot] = 0
        let isSmallFull = !(small.weight + added).fits(smallLimit)
        insert(slot, into: known != nil || !hasEvicted && isSmallFull ? .main : .small)
        return false
    }

    mutating func evict() -> UInt64? {
        hasEvicted = true
        while true {
            if let place = small.last, !small.weight.fits(smallLimit) || main.last == nil {
                unlink(place)
                if frequencies[place] > 1 {
                    frequencies[place] = 0
                    insert(place, into: .main)
                } else {
                    insert(place, into: .ghost)
                    trimGhosts()
                    return keys.hashes[place]
                }
            } else if let place = main.last {
                unlink(place)
                if frequencies[place] > 0 {
                    frequencies[place] -= 1
                    insert(place, into: .main)
                } else {
                    keys.remove(place)
                    return keys.hashes[place]
                }
            } else {
                return nil
            }
        }
    }

    mutating func remove(_ hash: UInt64) {
        if let place = keys.slot(of: hash) { removeSlot(place) }
    }

    private mutating func trimGhosts() {
        let held = small.weight.count + main.weight.count
        while !ghosts.weight.fits(mainLimit) || ghosts.weight.count > max(1, held), let oldest = ghosts.last { removeSlot(oldest) }
    }

    private mutating func insert(_ place: Int, into segment: Segment) {
        segments[place] = segment
        let cost = keys.costs[place]
        switch segment {
        case .small: links.prepend(place, cost: cost, to: &small)
        case .main: links.prepend(place, cost: cost, to: &main)
        case .ghost: links.prepend(place, cost: cost, to: &ghosts)
        }
    }

    private mutating func unlink(_ place: Int) {
        let cost = keys.costs[place]
        switch segments[place] {
        case .small: links.remove(place, cost: cost, from: &small)
        case .main: links.remove(place, cost: cost, from: &main)
        case .ghost: links.remove(place, cost: cost, from: &ghosts)
        }
    }

    private mutating func removeSlot(_ place: Int) {
        unlink(place)
        keys.remove(place)
    }
}
