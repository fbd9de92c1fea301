/// The 2Q policy, which passes new keys through a queue, and retains by recency those that return after their removal from it.
///
/// Uses of a key in the queue are ignored, because they often occur in bursts (T. Johnson, D. Shasha, VLDB 1994, the full version).
struct TwoQueuePolicy: EvictionPolicy {
    /// The share of the limit that the queue of new keys has.
    private static let incomingShare = 0.25
    /// The number of remembered evicted keys, as a share of the limit.
    private static let ghostShare = 0.5

    private enum Segment: UInt8 {
        case incoming
        case main
        /// Evicted.
        case ghost
    }

    private let limit: Weight
    private let incomingLimit: Weight
    private let ghostLimit: Weight
    private var keys = KeyTable()
    private var segments: [Segment] = []
    private var links = Links()
    private var incoming = LinkedList()
    private var main = LinkedList()
    private var ghosts = LinkedList()

    init(limit: Weight) {
        self.limit = limit
        incomingLimit = limit.scaled(by: Self.incomingShare)
        ghostLimit = limit.scaled(by: Self.ghostShare)
    }

    func contains(_ hash: UInt64) -> Bool { keys.slot(of: hash).map { segments[$0] != .ghost } ?? false }

    mutating func access(_ hash: UInt64, cost: Int, evicted: inout [UInt64]) -> Bool {
        let known = keys.slot(of: hash)
        if let known, segments[known] != .ghost, keys.costs[known] == cost {
            if segments[known] == .main {
                unlink(known)
                insert(known, into: .main)
            }
            return true
        }
        if let known { removeSlot(known) }
        while !(incoming.weight + main.weight + Weight(cost: cost, count: 1)).fits(limit), let key = evict() { evicted.append(key) }
        let slot = keys.add(hash, cost: cost)
        if segments.count == slot { segments.append(.incoming) }
        insert(slot, into: known == nil ? .incoming : .main)
        return false
    }

    mutating func evict() -> UInt64? {
        if let place = incoming.last, !incoming.weight.fits(incomingLimit) || main.last == nil {
            unlink(place)
            insert(place, into: .ghost)
            trimGhosts()
            return keys.hashes[place]
        }
        guard let place = main.last else { return nil }
        removeSlot(place)
        return keys.hashes[place]
    }

    mutating func remove(_ hash: UInt64) {
        if let place = keys.slot(of: hash) { removeSlot(place) }
    }

    private mutating func trimGhosts() {
        let held = incoming.weight.count + main.weight.count
        while !ghosts.weight.fits(ghostLimit) || ghosts.weight.count > max(1, held), let oldest = ghosts.last {
            removeSlot(oldest)
        }
    }

    private mutating func insert(_ place: Int, into segment: Segment) {
        segments[place] = segment
        let cost = keys.costs[place]
        switch segment {
        case .incoming: links.prepend(place, cost: cost, to: &incoming)
        case .main: links.prepend(place, cost: cost, to: &main)
        case .ghost: links.prepend(place, cost: cost, to: &ghosts)
        }
    }

    private mutating func unlink(_ place: Int) {
        let cost = keys.costs[place]
        switch segments[place] {
        case .incoming: links.remove(place, cost: cost, from: &incoming)
        case .main: links.remove(place, cost: cost, from: &main)
        case .ghost: links.remove(place, cost: cost, from: &ghosts)
        }
    }

    private mutating func removeSlot(_ place: Int) {
        unlink(place)
        keys.remove(place)
    }
}
