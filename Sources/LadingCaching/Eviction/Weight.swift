/// The total cost and the number of values, as a current amount or as a limit.
struct Weight: Equatable, Sendable {
    var cost: Int
    var count: Int

    static let zero = Weight(cost: 0, count: 0)

    /// A limit so high that sums of costs below it do not overflow.
    static let unlimited = Int.max >> 2

    /// Whether the weight is within a limit.
    func fits(_ limit: Weight) -> Bool { cost <= limit.cost && count <= limit.count }

    /// Returns a fraction of a limit, at least 1 of each.
    func scaled(by fraction: Double) -> Weight {
        Weight(cost: max(1, Int(Double(cost) * fraction)), count: max(1, Int(Double(count) * fraction)))
    }

    static func + (left: Weight, right: Weight) -> Weight { Weight(cost: left.cost + right.cost, count: left.count + right.count) }

    /// Returns the remainder of a limit beside a share of it.
    func subtracting(_ share: Weight) -> Weight { Weight(cost: cost - share.cost, count: count - share.count) }
}
