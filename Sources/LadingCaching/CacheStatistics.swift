/// What became of the questions to a cache, and how it forgets at present.
public struct CacheStatistics: Equatable, Sendable {
    /// How often the value of a key was there.
    public var hits: Int
    /// How often it was not, or was good no more.
    public var misses: Int
    /// How many values made room for others, or were given up by `reduceCost`.
    public var evictions: Int
    /// The rule that decides what is forgotten at present.
    public var algorithm: EvictionAlgorithm

    /// The share of hits, from 0 to 1; 0 when nothing was asked.
    public var hitRatio: Double { hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses) }
}
