public import Synchronization

/// Keeps values in memory, bounded by cost and count, by whichever rule of forgetting does best.
///
/// No rule is good for every use: a loop that is longer than the cache defeats one, a flood of values used once another. The cache plays several of
/// them with keys alone, and follows the one that has most hits (`EvictionRule`); it needs no setting. A hit takes one short lock of one of several shards; a value is
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
    /// The number of the next hit. Hits are numbered while `isListening`, so that nothing is shared by threads that have only hits.
    @usableFromInline let stamps = Atomic<UInt64>(1)
    /// What the keeper said last.
    @usableFromInline let isListening = Atomic<Bool>(false)
    /// A bit for each shard with hits that the keeper has not been told of.
    private let waiting = Atomic<UInt64>(0)
    /// Its lock is taken before those of shards.
    private let keeper: Mutex<Keeper>
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
        keeper = Mutex(Keeper(limit: Load(cost: min(costLimit, Load.unlimited), count: min(countLimit, Load.unlimited))))
    }

    /// The number of values kept.
    public var count: Int { keeper.withLock { $0.residency.load.count } }

    /// The sum of the costs of the values kept.
    public var cost: Int { keeper.withLock { $0.residency.load.cost } }

    /// The value of a key, which thereby counts as used; nil when it is not kept, or good no more.
    @inlinable
    public func value(for key: Key) -> Value? {
        let hash = CacheShard<Key, Value>.hash(of: key)
        let index = CacheShard<Key, Value>.index(of: hash)
        let stamp = isListening.load(ordering: .relaxed) ? stamps.wrappingAdd(1, ordering: .relaxed).oldValue : 0
        switch shards[index].table.withLock({ $0.find(key, hash, stamp: stamp, elapsed) }) {
        case .value(let value, .nothing): return value
        case .value(let value, let need):
            noteUses(of: index, need)
            return value
        case .nothing: return nil
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
        guard cost <= min(costLimit, Load.unlimited) else { return removeValue(for: key) }
        let hash = CacheShard<Key, Value>.hash(of: key)
        let entry = ValueTable.Entry(key: key, value: value)
        let deadline = (lifetime ?? self.lifetime).map { elapsed() + $0 }
        _ = keeper.withLock { keeper in
            tellUses(to: &keeper)
            let forgotten = keeper.store(hash, cost: cost)
            isListening.store(true, ordering: .relaxed)
            let replaced = shard(of: hash).table.withLock { $0.insert(entry, hash, deadline: deadline) }
            return (replaced, take(forgotten))
        }
    }

    /// Forgets the value of a key.
    public func removeValue(for key: Key) {
        remove(CacheShard<Key, Value>.hash(of: key), key: key)
    }

    /// Forgets everything.
    public func removeAll() {
        _ = keeper.withLock { keeper in
            keeper.removeAll()
            return shards.map { $0.table.withLock { $0.removeAll() } }
        }
    }

    /// Forgets what is worth least, until the rest costs no more than a limit: for moments when memory is short.
    public func reduceCost(to limit: Int) {
        _ = keeper.withLock { keeper in
            tellUses(to: &keeper)
            return take(keeper.reduceCost(to: limit))
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
        let (evictions, rule) = keeper.withLock { ($0.evictions, $0.residency.rule) }
        var statistics = CacheStatistics(hits: 0, misses: 0, evictions: evictions, rule: rule)
        for shard in shards {
            let (hits, misses) = shard.table.withLock { ($0.hits, $0.misses) }
            statistics.hits += hits
            statistics.misses += misses
        }
        return statistics
    }

    // MARK: Hits

    @usableFromInline
    func noteUses(of index: Int, _ need: UseRing.Need) {
        if case .notice = need { return _ = waiting.bitwiseOr(1 << UInt64(index), ordering: .relaxed) }
        // While another thread has the keeper, the oldest of these hits are left out rather than waited for.
        keeper.withLockIfAvailable { keeper in
            tellUses(to: &keeper)
            isListening.store(keeper.isListening, ordering: .relaxed)
        }
    }

    private func tellUses(to keeper: inout Keeper) {
        var left = waiting.exchange(0, ordering: .relaxed)
        guard left != 0 else { return }
        var uses: [UseRing.Use] = []
        while left != 0 {
            shards[left.trailingZeroBitCount].table.withLock { $0.uses.take(into: &uses) }
            left &= left - 1
        }
        keeper.use(uses)
    }

    // MARK: Removing

    private func shard(of hash: UInt64) -> CacheShard<Key, Value> { shards[CacheShard<Key, Value>.index(of: hash)] }

    /// Takes out of the shards what the keeper has forgotten. It is handed out through the lock: values may run code of their own at their end, which
    /// must not meet it.
    private func take(_ forgotten: [UInt64]) -> [ValueTable<Key, Value>.Entry?] {
        forgotten.map { hash in shard(of: hash).table.withLock { $0.remove(hash) } }
    }

    @usableFromInline
    func removeExpired(_ key: Key, _ hash: UInt64) {
        remove(hash, key: key, expiredAt: elapsed())
    }

    private func remove(_ hash: UInt64, key: Key? = nil, expiredAt moment: Duration? = nil) {
        _ = keeper.withLock { keeper in
            let removed = shard(of: hash).table.withLock { $0.remove(hash, key: key, expiredAt: moment) }
            if removed != nil { keeper.remove(hash) }
            return removed
        }
    }
}
