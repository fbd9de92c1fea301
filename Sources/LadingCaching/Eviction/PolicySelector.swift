import Foundation

/// Decides which rule leads: all of them are played on the same uses, with keys alone, and the one with most hits wins.
///
/// Hits count less the longer ago they are, but for long: what does well for a moment does not win. A rule takes the lead when it is ahead by
/// more than changing over may cost, and by a third more after each change, so that two that are equally good do not alternate: in a loop
/// they may have their hits in different parts of it.
struct PolicySelector: Sendable {
    /// The first to lead: with it little is lost where loops are longer than the cache, and others overtake it soon.
    static let initialAlgorithm = EvictionAlgorithm.lirs
    /// After so many uses for each key that fits, a hit counts half.
    private static let halfLife = 64.0
    /// How far ahead the winner must be: a share of the keys that fit, and at least some.
    private static let switchMarginShare = 0.03
    private static let minimumSwitchMargin = 8.0
    /// How much more it must be after each change, and after many. That fades as hits do.
    private static let hysteresisStep = 1.3
    private static let hysteresisLimit = 16.0

    /// What each rule would hold, in the order of `EvictionAlgorithm.allCases`.
    private var policies: [any EvictionPolicy]
    private var scores: [Double]
    private var selectedIndex: Int
    private var hysteresis = 1.0
    private let limit: Weight
    private var evicted: [UInt64] = []

    /// The rule that leads.
    var selectedAlgorithm: EvictionAlgorithm { EvictionAlgorithm.allCases[selectedIndex] }
    /// What the rule that leads holds here.
    var selectedPolicy: any EvictionPolicy { policies[selectedIndex] }

    init(limit: Weight, selected: EvictionAlgorithm = initialAlgorithm) {
        self.limit = limit
        policies = EvictionAlgorithm.allCases.map { $0.makePolicy(limit: limit) }
        scores = Array(repeating: 0, count: policies.count)
        selectedIndex = EvictionAlgorithm.allCases.firstIndex(of: selected) ?? 0
    }

    /// Tells of a use, with a cost of at most the limit, among so many keys that fit. Returns whether another rule leads now.
    mutating func access(_ hash: UInt64, cost: Int, keyCount keys: Int) -> Bool {
        let fading = 1 - log(2) / (Self.halfLife * Double(max(1, keys)))
        for index in policies.indices {
            let isHit = policies[index].access(hash, cost: cost, evicted: &evicted)
            evicted.removeAll(keepingCapacity: true)
            scores[index] = scores[index] * fading + (isHit ? 1 : 0)
        }
        hysteresis = max(1, hysteresis * fading)
        return switchPolicy(margin: hysteresis * max(Self.minimumSwitchMargin, Self.switchMarginShare * Double(keys)))
    }

    /// Tells of a key that was used before, which counts for no rule.
    mutating func warmUp(_ hash: UInt64, cost: Int) {
        for index in policies.indices { _ = policies[index].access(hash, cost: cost, evicted: &evicted) }
        evicted.removeAll(keepingCapacity: true)
    }

    mutating func remove(_ hash: UInt64) {
        for index in policies.indices { policies[index].remove(hash) }
    }

    private mutating func switchPolicy(margin: Double) -> Bool {
        var best = selectedIndex
        for index in scores.indices where scores[index] > scores[best] { best = index }
        guard scores[best] > scores[selectedIndex] + margin else { return false }
        selectedIndex = best
        hysteresis = min(Self.hysteresisLimit, Self.hysteresisStep * hysteresis)
        return true
    }
}
