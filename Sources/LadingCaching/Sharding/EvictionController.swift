/// Decides what a cache keeps, and how many of its hits it takes the time to look at.
///
/// A miss pays for some hits: where nearly everything is a hit there is nothing to learn from each, and hits are to cost next to nothing. Where
/// misses are more than 1 in 65, every hit counts.
struct EvictionController: Sendable {
    /// How many hits a value that is stored pays for.
    static let hitsPerStore = 64
    /// The most hits that are paid for in advance: so many, or twice for each value that is kept. In a loop a large cache has long runs of hits, and a rule
    /// of which the end of each run was not told would seem to be a bad one.
    static let creditLimit = 4_096
    static let creditPerValue = 2

    private(set) var adaptiveEviction: AdaptiveEviction
    private(set) var evictions = 0
    private var credit = 0

    init(limit: Weight) {
        adaptiveEviction = AdaptiveEviction(limit: limit)
    }

    /// Whether hits are of interest.
    var recordsHits: Bool { credit > 0 }

    /// Tells of hits, in any order.
    mutating func recordHits(_ uses: [HitRing.Hit]) {
        for use in uses.sorted(by: { $0.sequenceNumber < $1.sequenceNumber }).suffix(credit) { adaptiveEviction.access(use.hash) }
        credit = max(0, credit - uses.count)
    }

    /// Keeps a key; returns those that make room.
    mutating func store(_ hash: UInt64, cost: Int) -> [UInt64] {
        credit = min(max(Self.creditLimit, Self.creditPerValue * adaptiveEviction.weight.count), credit + Self.hitsPerStore)
        var evicted: [UInt64] = []
        adaptiveEviction.access(hash, cost: cost, evicted: &evicted)
        evictions += evicted.count
        return evicted
    }

    mutating func remove(_ hash: UInt64) {
        adaptiveEviction.remove(hash)
    }

    /// Forgets what is worth least until the rest costs no more than a limit; returns what that was.
    mutating func reduceCost(to limit: Int) -> [UInt64] {
        var evicted: [UInt64] = []
        while adaptiveEviction.weight.cost > limit, let hash = adaptiveEviction.evict() { evicted.append(hash) }
        evictions += evicted.count
        return evicted
    }

    /// Forgets every key, but not which rule does best.
    mutating func removeAll() {
        adaptiveEviction.removeAll()
    }
}
