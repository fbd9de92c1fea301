/// An eviction policy of a bounded cache.
///
/// It identifies keys by their hashes and stores no values, so that it can also be simulated for comparison.
protocol EvictionPolicy: Sendable {
    /// - Parameter limit: The maximum weight of the held keys.
    init(limit: Weight)

    /// Whether a key is held.
    func contains(_ hash: UInt64) -> Bool

    /// Records a use of a key, which is added if it is not held.
    ///
    /// - Parameters:
    ///   - cost: The cost of the key, at most the limit. A key with a changed cost is added again.
    ///   - evicted: The array that evicted keys are appended to, possibly this key itself.
    /// - Returns: Whether the key was held with this cost.
    mutating func access(_ hash: UInt64, cost: Int, evicted: inout [UInt64]) -> Bool

    /// Evicts and returns the least valuable key; nil when none is held.
    mutating func evict() -> UInt64?

    /// Removes a key.
    mutating func remove(_ hash: UInt64)
}
