/// What values take of a cache, or may take: the sum of their costs, and their number.
struct Load: Equatable, Sendable {
    var cost: Int
    var count: Int

    static let none = Load(cost: 0, count: 0)

    /// So high a limit that sums of costs below it cannot overflow.
    static let unlimited = Int.max >> 2

    /// Whether this is within a limit.
    func fits(_ limit: Load) -> Bool { cost <= limit.cost && count <= limit.count }

    /// A fraction of a limit, at least 1 of each.
    func share(_ fraction: Double) -> Load {
        Load(cost: max(1, Int(Double(cost) * fraction)), count: max(1, Int(Double(count) * fraction)))
    }

    static func + (left: Load, right: Load) -> Load { Load(cost: left.cost + right.cost, count: left.count + right.count) }

    /// What a limit leaves beside a share of it.
    func remainder(_ share: Load) -> Load { Load(cost: cost - share.cost, count: count - share.count) }
}
