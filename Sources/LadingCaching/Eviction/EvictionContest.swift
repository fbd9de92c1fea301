import Foundation

/// Decides which rule leads: all of them are played on the same uses, with keys alone, and the one with most hits wins.
///
/// Hits count less the longer ago they are, but for long: what does well for a moment does not win. A rule takes the lead when it is ahead by
/// more than changing over may cost, and by a third more after each change, so that two that are equally good do not alternate: in a loop
/// they may have their hits in different parts of it.
struct EvictionContest: Sendable {
    /// The first to lead: with it little is lost where loops are longer than the cache, and others overtake it soon.
    static let first = EvictionRule.lirs
    /// After so many uses for each key that fits, a hit counts half.
    private static let halfLife = 64.0
    /// How far ahead the winner must be: a share of the keys that fit, and at least some.
    private static let leadShare = 0.03
    private static let leastLead = 8.0
    /// How much more it must be after each change, and after many. That fades as hits do.
    private static let reluctanceStep = 1.3
    private static let reluctanceLimit = 16.0

    /// What each rule would hold, in the order of `EvictionRule.allCases`.
    private var policies: [any EvictionPolicy]
    private var scores: [Double]
    private var leading: Int
    private var reluctance = 1.0
    private let limit: Load
    private var released: [UInt64] = []

    /// The rule that leads.
    var leader: EvictionRule { EvictionRule.allCases[leading] }
    /// What the rule that leads holds here.
    var leadingPolicy: any EvictionPolicy { policies[leading] }

    init(limit: Load, leader: EvictionRule = first) {
        self.limit = limit
        policies = EvictionRule.allCases.map { $0.policy(limit: limit) }
        scores = Array(repeating: 0, count: policies.count)
        leading = EvictionRule.allCases.firstIndex(of: leader) ?? 0
    }

    /// Tells of a use, with a cost of at most the limit, among so many keys that fit. Returns whether another rule leads now.
    mutating func use(_ hash: UInt64, cost: Int, among keys: Int) -> Bool {
        let fading = 1 - log(2) / (Self.halfLife * Double(max(1, keys)))
        for index in policies.indices {
            let isHit = policies[index].use(hash, cost: cost, released: &released)
            released.removeAll(keepingCapacity: true)
            scores[index] = scores[index] * fading + (isHit ? 1 : 0)
        }
        reluctance = max(1, reluctance * fading)
        return changeLeader(lead: reluctance * max(Self.leastLead, Self.leadShare * Double(keys)))
    }

    /// Tells of a key that was used before, which counts for no rule.
    mutating func learn(_ hash: UInt64, cost: Int) {
        for index in policies.indices { _ = policies[index].use(hash, cost: cost, released: &released) }
        released.removeAll(keepingCapacity: true)
    }

    mutating func remove(_ hash: UInt64) {
        for index in policies.indices { policies[index].remove(hash) }
    }

    private mutating func changeLeader(lead: Double) -> Bool {
        var best = leading
        for index in scores.indices where scores[index] > scores[best] { best = index }
        guard scores[best] > scores[leading] + lead else { return false }
        leading = best
        reluctance = min(Self.reluctanceLimit, Self.reluctanceStep * reluctance)
        return true
    }
}
