public import Synchronization

/// A thread-safe memory cache, limited by cost and count, that selects its eviction algorithm at run time.
///
/// No algorithm suits every workload: a loop that is longer than the cache defeats one, a flood of values used once another. The cache simulates
/// several with keys alone, and uses the one with most hits (`EvictionAlgorithm`), without configuration. A hit acquires the lock of one of several
/// shards for a short time, and returns the value as it was stored. Storing a value evicts the least valuable ones.
///
/// ```swift
/// let pictures = MemoryCache<String, [UInt8]>(costLimit: 64 << 20)
/// pictures.store(bytes, for: "broccoli", cost: bytes.count)
/// let known = pictures.value(for: "broccoli")
/// ```
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The maximum total cost of the values.
    public let costLimit: Int
    /// The maximum number of values.
    public let countLimit: Int

    @usableFromInline let shards: [CacheShard<Key, Value>]
    /// Returns the time since the cache was created.
    @usableFromInline let elapsed: @Sendable () -> Duration
    /// The number of the next hit. Hits are numbered only while `isRecordingHits`, to avoid a shared counter in threads that only have hits.
    @usableFromInline let nextSequenceNumber = Atomic<UInt64>(1)
    /// Whether hits are recorded: the eviction controller's `recordsHits`, read without its lock.
    @usableFromInline let isRecordingHits = Atomic<Bool>(false)
    /// A bit for each shard with hits that the eviction controller has not received.
    private let shardsWithHits = Atomic<UInt64>(0)
    /// The eviction controller. Its lock is acquired before those of shards.
    private let eviction: Mutex<EvictionController>
    private let lifetime: Duration?

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - costLimit: The maximum total cost, in the unit of the costs passed to `store`, such as bytes or, with the default cost of 1, values.
    ///   - countLimit: The maximum number of values, whatever their costs.
    ///   - lifetime: The time until a value expires; nil for never.
    ///   - clock: The clock for expiration.
    public init(
        costLimit: Int, countLimit: Int = .max, lifetime: Duration? = nil, clock: some Clock<Duration> = ContinuousClock()
    ) {
        precondition(costLimit > 0 && countLimit > 0, "the limits of a cache must be positive")
        self.costLimit = costLimit
        self.countLimit = countLimit
        self.lifetime = lifetime
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        shards = (0..<CacheShard<Key, Value>.count).map { _ in CacheShard() }
        eviction = Mutex(
            EvictionController(limit: Weight(cost: min(costLimit, Weight.unlimited), count: min(countLimit, Weight.unlimited))))
    }

    /// The number of values.
    public var count: Int { eviction.withLock { $0.adaptiveEviction.weight.count } }

    /// The total cost of the values.
    public var cost: Int { eviction.withLock { $0.adaptiveEviction.weight.cost } }

    /// Returns the value of a key and counts as a use; nil when the key has no value or an expired one.
    @inlinable
    public func value(for key: Key) -> Value? {
        let hash = CacheShard<Key, Value>.hash(of: key)
        let index = CacheShard<Key, Value>.index(of: hash)
        let sequenceNumber = isRecordingHits.load(ordering: .relaxed) ? nextSequenceNumber.wrappingAdd(1, ordering: .relaxed).oldValue : 0
        switch shards[index].table.withLock({ $0.find(key, hash, sequenceNumber: sequenceNumber, elapsed) }) {
        case .hit(let value, .none): return value
        case .hit(let value, let action):
            handleHit(inShard: index, action)
            return value
        case .miss: return nil
        case .expired:
            removeExpired(key, hash)
            return nil
        }
    }

    /// Stores a value, replacing that of an equal key.
    ///
    /// A value that costs more than the limit is not stored, and the value of an equal key is removed.
    ///
    /// - Parameters:
    ///   - cost: The cost of the value; less than 1 counts as 1.
    ///   - lifetime: The time until the value expires; nil for the cache's own `lifetime`.
    public func store(_ value: Value, for key: Key, cost: Int = 1, lifetime: Duration? = nil) {
        let cost = max(1, cost)
        guard cost <= min(costLimit, Weight.unlimited) else { return removeValue(for: key) }
        let hash = CacheShard<Key, Value>.hash(of: key)
        let entry = ValueTable.Entry(key: key, value: value)
        let deadline = (lifetime ?? self.lifetime).map { elapsed() + $0 }
        // Replaced and evicted entries are returned, and released after unlocking: deinitializers of values may use the cache.
        _ = eviction.withLock { controller in
            drainHits(into: &controller)
            let evicted = controller.store(hash, cost: cost)
            isRecordingHits.store(controller.recordsHits, ordering: .relaxed)
            let replaced = shard(of: hash).table.withLock { $0.insert(entry, hash, deadline: deadline) }
            return (replaced, removeEntries(evicted))
        }
    }

    /// Removes the value of a key.
    public func removeValue(for key: Key) {
        remove(CacheShard<Key, Value>.hash(of: key), key: key)
    }

    /// Removes all values.
    public func removeAll() {
        _ = eviction.withLock { controller in
            controller.removeAll()
            return shards.map { $0.table.withLock { $0.removeAll() } }
        }
    }

    /// Evicts the least valuable values until the total cost is at most a limit: for low memory.
    public func reduceCost(to limit: Int) {
        _ = eviction.withLock { controller in
            drainHits(into: &controller)
            return removeEntries(controller.reduceCost(to: limit))
        }
    }

    /// Removes expired values, which otherwise remain until they are looked up or evicted.
    public func removeExpired() {
        let now = elapsed()
        for shard in shards {
            for hash in shard.table.withLock({ $0.expired(at: now) }) { remove(hash, expiredAt: now) }
        }
    }

    /// The statistics of all lookups so far.
    public var statistics: CacheStatistics {
        let (evictions, algorithm) = eviction.withLock { ($0.evictions, $0.adaptiveEviction.algorithm) }
        var statistics = CacheStatistics(hits: 0, misses: 0, evictions: evictions, algorithm: algorithm)
        for shard in shards {
            let (hits, misses) = shard.table.withLock { ($0.hits, $0.misses) }
            statistics.hits += hits
            statistics.misses += misses
        }
        return statistics
    }

    // MARK: Hits

    /// Performs the action that a hit in a shard requires: marks the shard, or passes the hits of all shards to the eviction controller.
    @usableFromInline
    func handleHit(inShard index: Int, _ action: HitRing.Action) {
        if case .markShard = action {
            _ = shardsWithHits.bitwiseOr(1 << UInt64(index), ordering: .relaxed)
            return
        }
        // While another thread holds the controller, the oldest of these hits are dropped instead of waiting.
        eviction.withLockIfAvailable { controller in
            drainHits(into: &controller)
            isRecordingHits.store(controller.recordsHits, ordering: .relaxed)
        }
    }

    private func drainHits(into controller: inout EvictionController) {
        var remaining = shardsWithHits.exchange(0, ordering: .relaxed)
        guard remaining != 0 else { return }
        var hits: [HitRing.Hit] = []
        while remaining != 0 {
            shards[remaining.trailingZeroBitCount].table.withLock { $0.hitRing.drain(into: &hits) }
            remaining &= remaining - 1
        }
        controller.recordHits(hits)
    }

    // MARK: Removal

    private func shard(of hash: UInt64) -> CacheShard<Key, Value> { shards[CacheShard<Key, Value>.index(of: hash)] }

    /// Removes evicted entries from the shards, and returns them, to be released after unlocking.
    private func removeEntries(_ evicted: [UInt64]) -> [ValueTable<Key, Value>.Entry?] {
        evicted.map { hash in shard(of: hash).table.withLock { $0.remove(hash) } }
    }

    @usableFromInline
    func removeExpired(_ key: Key, _ hash: UInt64) {
        remove(hash, key: key, expiredAt: elapsed())
    }

    private func remove(_ hash: UInt64, key: Key? = nil, expiredAt time: Duration? = nil) {
        _ = eviction.withLock { controller in
            let removed = shard(of: hash).table.withLock { $0.remove(hash, key: key, expiredAt: time) }
            if removed != nil { controller.remove(hash) }
            return removed
        }
    }
}
