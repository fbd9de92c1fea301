/// Decides what a cache keeps, and how many of its hits it takes the time to look at.
///
/// A miss pays for some hits: where nearly everything is a hit there is nothing to learn from each, and hits are to cost next to nothing. Where
/// misses are more than 1 in 65, every hit counts.
struct Keeper: Sendable {
    /// How many hits a value that is stored pays for.
    static let hitsPerStore = 64
    /// The most hits that are paid for in advance: so many, or twice for each value that is kept. In a loop a large cache has long runs of hits, and a rule
    /// of which the end of each run was not told would seem to be a bad one.
    static let creditLimit = 4_096
    static let creditPerValue = 2

    private(set) var residency: Residency
    private(set) var evictions = 0
    private var credit = 0

    init(limit: Load) {
        residency = Residency(limit: limit)
    }

    /// Whether hits are of interest.
    var isListening: Bool { credit > 0 }

    /// Tells of hits, in any order.
    mutating func use(_ uses: [UseRing.Use]) {
        for use in uses.sorted(by: { $0.stamp < $1.stamp }).suffix(credit) { residency.use(use.hash) }
        credit = max(0, credit - uses.count)
    }

    /// Keeps a key; returns those that make room.
    mutating func store(_ hash: UInt64, cost: Int) -> [UInt64] {
        credit = min(max(Self.creditLimit, Self.creditPerValue * residency.load.count), credit + Self.hitsPerStore)
        var forgotten: [UInt64] = []
        residency.use(hash, cost: cost, forgotten: &forgotten)
        evictions += forgotten.count
        return forgotten
    }

    mutating func remove(_ hash: UInt64) {
        residency.remove(hash)
    }

    /// Forgets what is worth least until the rest costs no more than a limit; returns what that was.
    mutating func reduceCost(to limit: Int) -> [UInt64] {
        var forgotten: [UInt64] = []
        while residency.load.cost > limit, let hash = residency.forgetOne() { forgotten.append(hash) }
        evictions += forgotten.count
        return forgotten
    }

    /// Forgets every key, but not which rule does best.
    mutating func removeAll() {
        residency.removeAll()
    }
}
