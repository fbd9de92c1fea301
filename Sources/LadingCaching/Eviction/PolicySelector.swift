import Foundation

/// The selection of an algorithm: all policies are simulated with keys alone, and the one with the highest score wins.
///
/// Scores are hits with a long exponential decay, so that a short-lived advantage does not win. A policy is selected when its lead exceeds the cost
/// of switching, and a third more after each switch, so that two equally good policies do not alternate: in a loop they may have their hits in
/// different parts of it.
struct PolicySelector: Sendable {
    /// The initial algorithm: it loses little in loops that are longer than the cache, and others overtake it soon.
    static let initialAlgorithm = EvictionAlgorithm.lirs
    /// The half-life of a hit, in uses per key that fits.
    private static let halfLife = 64.0
    /// The required lead as a fraction of the keys that fit.
    private static let switchMarginShare = 0.03
    private static let minimumSwitchMargin = 8.0
    /// The factor of the required lead after each switch, which decays as hits do.
    private static let marginFactorStep = 1.3
    private static let marginFactorLimit = 16.0

    /// The simulated policies, in the order of `EvictionAlgorithm.allCases`.
    private var policies: [any EvictionPolicy]
    private var weightedHits: [Double]
    private var selectedIndex: Int
    private var marginFactor = 1.0
    private let limit: Weight
    private var evicted: [UInt64] = []

    /// The selected algorithm.
    var selectedAlgorithm: EvictionAlgorithm { EvictionAlgorithm.allCases[selectedIndex] }
    /// The simulated policy of the selected algorithm.
    var selectedPolicy: any EvictionPolicy { policies[selectedIndex] }

    init(limit: Weight, selected: EvictionAlgorithm = initialAlgorithm) {
        self.limit = limit
        policies = EvictionAlgorithm.allCases.map { $0.makePolicy(limit: limit) }
        weightedHits = Array(repeating: 0, count: policies.count)
        selectedIndex = EvictionAlgorithm.allCases.firstIndex(of: selected) ?? 0
    }

    /// Records a use with a cost of at most the limit, among `keyCount` keys that fit. Returns whether the selection has changed.
    mutating func access(_ hash: UInt64, cost: Int, keyCount keys: Int) -> Bool {
        let decay = 1 - log(2) / (Self.halfLife * Double(max(1, keys)))
        for index in policies.indices {
            let isHit = policies[index].access(hash, cost: cost, evicted: &evicted)
            evicted.removeAll(keepingCapacity: true)
            weightedHits[index] = weightedHits[index] * decay + (isHit ? 1 : 0)
        }
        marginFactor = max(1, marginFactor * decay)
        return switchPolicy(margin: marginFactor * max(Self.minimumSwitchMargin, Self.switchMarginShare * Double(keys)))
    }

    /// Adds a key from before the simulation, without scoring.
    mutating func insert(_ hash: UInt64, cost: Int) {
        for index in policies.indices { _ = policies[index].access(hash, cost: cost, evicted: &evicted) }
        evicted.removeAll(keepingCapacity: true)
    }

    mutating func remove(_ hash: UInt64) {
        for index in policies.indices { policies[index].remove(hash) }
    }

    private mutating func switchPolicy(margin: Double) -> Bool {
        var best = selectedIndex
        for index in weightedHits.indices where weightedHits[index] > weightedHits[best] { best = index }
        guard weightedHits[best] > weightedHits[selectedIndex] + margin else { return false }
        selectedIndex = best
        marginFactor = min(Self.marginFactorLimit, Self.marginFactorStep * marginFactor)
        return true
    }
}
