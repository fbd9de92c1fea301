/// The Adaptive Replacement Cache (ARC), which balances keys used once against keys used repeatedly.
///
/// A key that is used soon after its eviction shows that its segment was too small (N. Megiddo, D. Modha, FAST 2003).
struct ARCPolicy: EvictionPolicy {
    private enum Segment: UInt8 {
        /// Used once recently.
        case recent
        /// Used more than once recently.
        case frequent
        /// Evicted from `recent`.
        case recentGhost
        /// Evicted from `frequent`.
        case frequentGhost
    }

    private let limit: Weight
    /// The target fraction of the limit for `recent`, from 0 to 1.
    private var recentShare = 0.0
    private var keys = KeyTable()
    private var segments: [Segment] = []
    private var links = Links()
    private var recent = LinkedList()
    private var frequent = LinkedList()
    private var recentGhosts = LinkedList()
    private var frequentGhosts = LinkedList()

    init(limit: Weight) {
        self.limit = limit
    }

    func contains(_ hash: UInt64) -> Bool { keys.slot(of: hash).map { isResident($0) } ?? false }

    mutating func access(_ hash: UInt64, cost: Int, evicted: inout [UInt64]) -> Bool {
        let known = keys.slot(of: hash)
        if let known, isResident(known), keys.costs[known] == cost {
            unlink(known)
            insert(known, into: .frequent)
            return true
        }
        var segment = Segment.recent
        if let known {
            if !isResident(known) {
                updateRecentShare(for: segments[known])
                segment = .frequent
            }
            removeSlot(known)
        }
        while !(residentWeight + Weight(cost: cost, count: 1)).fits(limit), let key = evict() { evicted.append(key) }
        let slot = keys.add(hash, cost: cost)
        if segments.count == slot { segments.append(segment) }
        insert(slot, into: segment)
        trimGhosts()
        return false
    }

    mutating func evict() -> UInt64? {
        if let place = recent.last, !recent.weight.fits(limit.scaled(by: recentShare)) || frequent.last == nil {
            unlink(place)
            insert(place, into: .recentGhost)
            return keys.hashes[place]
        }
        guard let place = frequent.last else { return nil }
        unlink(place)
        insert(place, into: .frequentGhost)
        return keys.hashes[place]
    }

    mutating func remove(_ hash: UInt64) {
        if let place = keys.slot(of: hash) { removeSlot(place) }
    }

    private var residentWeight: Weight { recent.weight + frequent.weight }

    private func isResident(_ place: Int) -> Bool { segments[place] == .recent || segments[place] == .frequent }

    /// Grows the segment that a ghost was evicted from: the more, the fewer ghosts that segment has.
    private mutating func updateRecentShare(for segment: Segment) {
        let (recentGhostCount, less) = (Double(recentGhosts.weight.count), Double(frequentGhosts.weight.count))
        let step = 1 / Double(max(1, residentWeight.count))
        if segment == .recentGhost {
            recentShare = min(1, recentShare + step * max(1, less / recentGhostCount))
        } else {
            recentShare = max(0, recentShare - step * max(1, recentGhostCount / less))
        }
    }

    private mutating func trimGhosts() {
        let ghostLimit = Weight(cost: limit.cost, count: min(limit.count, residentWeight.count))
        while !(recent.weight + recentGhosts.weight).fits(ghostLimit), let oldest = recentGhosts.last { removeSlot(oldest) }
        while !(recentGhosts.weight + frequentGhosts.weight).fits(ghostLimit), let oldest = frequentGhosts.last { removeSlot(oldest) }
    }

    private mutating func insert(_ place: Int, into segment: Segment) {
        segments[place] = segment
        let cost = keys.costs[place]
        switch segment {
        case .recent: links.prepend(place, cost: cost, to: &recent)
        case .frequent: links.prepend(place, cost: cost, to: &frequent)
        case .recentGhost: links.prepend(place, cost: cost, to: &recentGhosts)
        case .frequentGhost: links.prepend(place, cost: cost, to: &frequentGhosts)
        }
    }

    private mutating func unlink(_ place: Int) {
        let cost = keys.costs[place]
        switch segments[place] {
        case .recent: links.remove(place, cost: cost, from: &recent)
        case .frequent: links.remove(place, cost: cost, from: &frequent)
        case .recentGhost: links.remove(place, cost: cost, from: &recentGhosts)
        case .frequentGhost: links.remove(place, cost: cost, from: &frequentGhosts)
        }
    }

    private mutating func removeSlot(_ place: Int) {
        unlink(place)
        keys.remove(place)
    }
}
