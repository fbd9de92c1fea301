import LadingCaching

/// A replay of a trace through a cache: each key is looked up, and stored after a miss.
public struct TraceReplay: Sendable {
    /// The maximum number of keys in the cache.
    public let size: Int
    private let cache: MemoryCache<String, Bool>

    public init(size: Int) {
        self.size = size
        cache = MemoryCache(costLimit: size)
    }

    public func access(_ key: String) {
        if cache.value(for: key) == nil { cache.store(true, for: key) }
    }

    /// The share of hits, from 0 to 1.
    public var hitRatio: Double { cache.statistics.hitRatio }
}
