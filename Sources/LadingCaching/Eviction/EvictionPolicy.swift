/// Decides which keys a bounded cache holds, and which it lets go of first.
///
/// It knows keys by their hashes, and no values: thus it can lead a cache or be a rival that only shows how it would have done.
protocol EvictionPolicy: Sendable {
    /// - Parameter limit: What the keys that are held may cost together.
    init(limit: Weight)

    /// Whether a key is held.
    func contains(_ hash: UInt64) -> Bool

    /// Tells of a use of a key, which is taken in when it is not held.
    ///
    /// - Parameters:
    ///   - cost: What it costs, at most the limit. A key whose cost has changed comes in anew.
    ///   - released: Where the keys are added that are let go of, possibly the very one.
    /// - Returns: Whether it was held, at this cost.
    mutating func access(_ hash: UInt64, cost: Int, evicted: inout [UInt64]) -> Bool

    /// Lets go of the key that is worth least; nil when none is held.
    mutating func evict() -> UInt64?

    /// Forgets a key.
    mutating func remove(_ hash: UInt64)
}
