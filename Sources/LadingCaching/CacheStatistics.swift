/// The counters of a cache, and its current eviction algorithm.
public struct CacheStatistics: Equatable, Sendable {
    /// The number of lookups that found a value.
    public var hits: Int
    /// The number of lookups that found no value, or an expired one.
    public var misses: Int
    /// The number of values evicted to make room, or by `reduceCost`.
    public var evictions: Int
    /// The current eviction algorithm.
    public var algorithm: EvictionAlgorithm

    /// The fraction of hits, from 0 to 1; 0 without lookups.
    public var hitRatio: Double { hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses) }
}
