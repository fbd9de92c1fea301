/// The eviction decisions of a cache, and the fraction of its hits that are recorded for them.
///
/// Each miss grants credit to record hits; at high hit ratios most hits are not recorded.
/// With more than 1 miss in 65 lookups every hit is recorded.
struct EvictionController: Sendable {
    /// The number of recorded hits that a stored value grants credit for.
    static let hitsPerStore = 64
    /// The maximum number of hits granted in advance: the larger of this and `hitBudgetPerValue` for each value. A large cache has long runs of hits in a
    /// loop, and an algorithm that did not receive the end of each run would be rated too low.
    static let hitBudgetLimit = 4_096
    static let hitBudgetPerValue = 2

    private(set) var adaptiveEviction: AdaptiveEviction
    private(set) var evictions = 0
    private var hitBudget = 0

    init(limit: Weight) {
        adaptiveEviction = AdaptiveEviction(limit: limit)
    }

    /// Whether hits are recorded.
    var recordsHits: Bool { hitBudget > 0 }

    /// Records hits, in any order.
    mutating func recordHits(_ hits: [HitRing.Hit]) {
        for use in hits.sorted(by: { $0.sequenceNumber < $1.sequenceNumber }).suffix(hitBudget) { adaptiveEviction.access(use.hash) }
        hitBudget = max(0, hitBudget - hits.count)
    }

    /// Adds a key; returns the evicted ones.
    mutating func store(_ hash: UInt64, cost: Int) -> [UInt64] {
        hitBudget = min(max(Self.hitBudgetLimit, Self.hitBudgetPerValue * adaptiveEviction.weight.count), hitBudget + Self.hitsPerStore)
        var evicted: [UInt64] = []
        adaptiveEviction.access(hash, cost: cost, evicted: &evicted)
        evictions += evicted.count
        return evicted
    }

    mutating func remove(_ hash: UInt64) {
        adaptiveEviction.remove(hash)
    }

    /// Evicts the least valuable keys until the total cost is at most a limit; returns them.
    mutating func reduceCost(to limit: Int) -> [UInt64] {
        var evicted: [UInt64] = []
        while adaptiveEviction.weight.cost > limit, let hash = adaptiveEviction.evict() { evicted.append(hash) }
        evictions += evicted.count
        return evicted
    }

    /// Removes all keys, and retains the selection of the algorithm.
    mutating func removeAll() {
        adaptiveEviction.removeAll()
    }
}
