/// What values take of a cache, or may take: the sum of their costs, and their number.
struct Weight: Equatable, Sendable {
    var cost: Int
    var count: Int

    static let zero = Weight(cost: 0, count: 0)

    /// So high a limit that sums of costs below it cannot overflow.
    static let unlimited = Int.max >> 2

    /// Whether this is within a limit.
    func fits(_ limit: Weight) -> Bool { cost <= limit.cost && count <= limit.count }

    /// A fraction of a limit, at least 1 of each.
    func scaled(by fraction: Double) -> Weight {
        Weight(cost: max(1, Int(Double(cost) * fraction)), count: max(1, Int(Double(count) * fraction)))
    }

    static func + (left: Weight, right: Weight) -> Weight { Weight(cost: left.cost + right.cost, count: left.count + right.count) }

    /// What a limit leaves beside a share of it.
    func subtracting(_ share: Weight) -> Weight { Weight(cost: cost - share.cost, count: count - share.count) }
}
