public import Synchronization

/// Keeps values in memory, bounded by cost and count, by whichever rule of forgetting does best.
///
/// No rule is good for every use: a loop that is longer than the cache defeats one, a flood of values used once another. The cache plays several of
/// them with keys alone, and follows the one that has most hits (`EvictionAlgorithm`); it needs no setting. A hit takes one short lock of one of several shards; a value is
/// returned as it was stored. What is stored takes the place of what is worth least.
///
/// ```swift
/// let pictures = MemoryCache<String, [UInt8]>(costLimit: 64 << 20)
/// pictures.store(bytes, for: "broccoli", cost: bytes.count)
/// let known = pictures.value(for: "broccoli")
/// ```
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The highest sum of the costs of what is kept.
    public let costLimit: Int
    /// The most values that are kept.
    public let countLimit: Int

    @usableFromInline let shards: [CacheShard<Key, Value>]
    /// Time since the cache was made.
    @usableFromInline let elapsed: @Sendable () -> Duration
    /// The number of the next hit. Hits are numbered while `isRecordingHits`, so that nothing is shared by threads that have only hits.
    @usableFromInline let nextSequenceNumber = Atomic<UInt64>(1)
    /// What the keeper said last.
    @usableFromInline let isRecordingHits = Atomic<Bool>(false)
    /// A bit for each shard with hits that the keeper has not been told of.
    private let shardsWithHits = Atomic<UInt64>(0)
    /// Its lock is taken before those of shards.
    private let eviction: Mutex<EvictionController>
    private let lifetime: Duration?

    /// - Parameters:
    ///   - costLimit: In the unit of the costs given to `store`, such as bytes or, with the default cost of 1, values.
    ///   - countLimit: The most values, whatever they cost.
    ///   - lifetime: How long a value is good; without end when it is nil.
    ///   - clock: Tells when a value is good no more.
    public init(
        costLimit: Int, countLimit: Int = .max, lifetime: Duration? = nil, clock: some Clock<Duration> = ContinuousClock()
    ) {
        precondition(costLimit > 0 && countLimit > 0, "a cache that may keep nothing is no cache")
        self.costLimit = costLimit
        self.countLimit = countLimit
        self.lifetime = lifetime
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        shards = (0..<CacheShard<Key, Value>.count).map { _ in CacheShard() }
        eviction = Mutex(EvictionController(limit: Weight(cost: min(costLimit, Weight.unlimited), count: min(countLimit, Weight.unlimited))))
    }

    /// The number of values kept.
    public var count: Int { eviction.withLock { $0.adaptiveEviction.weight.count } }

    /// The sum of the costs of the values kept.
    public var cost: Int { eviction.withLock { $0.adaptiveEviction.weight.cost } }

    /// The value of a key, which thereby counts as used; nil when it is not kept, or good no more.
    @inlinable
    public func value(for key: Key) -> Value? {
        let hash = CacheShard<Key, Value>.hash(of: key)
        let index = CacheShard<Key, Value>.index(of: hash)
        let stamp = isRecordingHits.load(ordering: .relaxed) ? nextSequenceNumber.wrappingAdd(1, ordering: .relaxed).oldValue : 0
        switch shards[index].table.withLock({ $0.find(key, hash, sequenceNumber: stamp, elapsed) }) {
        case .hit(let value, .none): return value
        case .hit(let value, let need):
            handleHit(inShard: index, need)
            return value
        case .miss: return nil
        case .expired:
            removeExpired(key, hash)
            return nil
        }
    }

    /// Keeps a value in place of the one its key had. A value that costs more than the limit is not kept.
    ///
    /// - Parameters:
    ///   - cost: At least 1; less counts as 1.
    ///   - lifetime: How long the value is good; nil for as long as values of this cache are.
    public func store(_ value: Value, for key: Key, cost: Int = 1, lifetime: Duration? = nil) {
        let cost = max(1, cost)
        guard cost <= min(costLimit, Weight.unlimited) else { return removeValue(for: key) }
        let hash = CacheShard<Key, Value>.hash(of: key)
        let entry = ValueTable.Entry(key: key, value: value)
        let deadline = (lifetime ?? self.lifetime).map { elapsed() + $0 }
        _ = eviction.withLock { keeper in
            drainHits(into: &keeper)
            let evicted = keeper.store(hash, cost: cost)
            isRecordingHits.store(true, ordering: .relaxed)
            let replaced = shard(of: hash).table.withLock { $0.insert(entry, hash, deadline: deadline) }
            return (replaced, removeEntries(evicted))
        }
    }

    /// Forgets the value of a key.
    public func removeValue(for key: Key) {
        remove(CacheShard<Key, Value>.hash(of: key), key: key)
    }

    /// Forgets everything.
    public func removeAll() {
        _ = eviction.withLock { keeper in
            keeper.removeAll()
            return shards.map { $0.table.withLock { $0.removeAll() } }
        }
    }

    /// Forgets what is worth least, until the rest costs no more than a limit: for moments when memory is short.
    public func reduceCost(to limit: Int) {
        _ = eviction.withLock { keeper in
            drainHits(into: &keeper)
            return removeEntries(keeper.reduceCost(to: limit))
        }
    }

    /// Forgets what is good no more. Without it such values stay until they are asked for, or make room.
    public func removeExpired() {
        let now = elapsed()
        for shard in shards {
            for hash in shard.table.withLock({ $0.expired(at: now) }) { remove(hash, expiredAt: now) }
        }
    }

    /// What became of the questions so far.
    public var statistics: CacheStatistics {
        let (evictions, rule) = eviction.withLock { ($0.evictions, $0.adaptiveEviction.algorithm) }
        var statistics = CacheStatistics(hits: 0, misses: 0, evictions: evictions, algorithm: rule)
        for shard in shards {
            let (hits, misses) = shard.table.withLock { ($0.hits, $0.misses) }
            statistics.hits += hits
            statistics.misses += misses
        }
        return statistics
    }

    // MARK: Hits

    @usableFromInline
    func handleHit(inShard index: Int, _ action: HitRing.Action) {
        if case .markShard = action { return _ = shardsWithHits.bitwiseOr(1 << UInt64(index), ordering: .relaxed) }
        // While another thread has the keeper, the oldest of these hits are left out rather than waited for.
        eviction.withLockIfAvailable { keeper in
            drainHits(into: &keeper)
            isRecordingHits.store(keeper.recordsHits, ordering: .relaxed)
        }
    }

    private func drainHits(into keeper: inout EvictionController) {
        var left = shardsWithHits.exchange(0, ordering: .relaxed)
        guard left != 0 else { return }
        var uses: [HitRing.Hit] = []
        while left != 0 {
            shards[left.trailingZeroBitCount].table.withLock { $0.hitRing.drain(into: &uses) }
            left &= left - 1
        }
        keeper.recordHits(uses)
    }

    // MARK: Removing

    private func shard(of hash: UInt64) -> CacheShard<Key, Value> { shards[CacheShard<Key, Value>.index(of: hash)] }

    /// Takes out of the shards what the keeper has forgotten. It is handed out through the lock: values may run code of their own at their end, which
    /// must not meet it.
    private func removeEntries(_ forgotten: [UInt64]) -> [ValueTable<Key, Value>.Entry?] {
        forgotten.map { hash in shard(of: hash).table.withLock { $0.remove(hash) } }
    }

    @usableFromInline
    func removeExpired(_ key: Key, _ hash: UInt64) {
        remove(hash, key: key, expiredAt: elapsed())
    }

    private func remove(_ hash: UInt64, key: Key? = nil, expiredAt moment: Duration? = nil) {
        _ = eviction.withLock { keeper in
            let removed = shard(of: hash).table.withLock { $0.remove(hash, key: key, expiredAt: moment) }
            if removed != nil { keeper.remove(hash) }
            return removed
        }
    }
}
