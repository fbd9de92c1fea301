import LadingCaching

/// A trace played through a cache: every key is asked for, and kept when it is not there.
public struct TraceReplay: Sendable {
    /// How many keys the cache may keep.
    public let size: Int
    private let cache: MemoryCache<String, Bool>

    public init(size: Int) {
        self.size = size
        cache = MemoryCache(costLimit: size)
    }

    public func access(_ key: String) {
        if cache.value(for: key) == nil { cache.store(true, for: key) }
    }

    /// The share of keys that were there, from 0 to 1.
    public var hitRatio: Double { cache.statistics.hitRatio }
}
