import LadingCaching

/// A replay of a trace through a cache: each key is looked up, and stored after a miss.
public struct TraceReplay: Sendable {
    /// The maximum number of keys in the cache.
    public let size: Int
    private let cache: MemoryCache<[UInt8], Bool>

    public init(size: Int) {
        self.size = size
        cache = MemoryCache(costLimit: size)
    }

    public func access(_ key: [UInt8]) {
        if cache.value(for: key) == nil { cache.store(true, for: key) }
    }

    /// The share of hits, from 0 to 1.
    public var hitRatio: Double { cache.statistics.hitRatio }
}
