/// A ring buffer of a shard's hits that the eviction controller has not received; when it overflows, the oldest are dropped.
@usableFromInline
struct HitRing: Sendable {
    @usableFromInline
    struct Hit: Sendable {
        /// A number that increases from hit to hit across the cache, by which hits of several shards are ordered.
        @usableFromInline let sequenceNumber: UInt64
        @usableFromInline let hash: UInt64

        @inlinable
        init(sequenceNumber: UInt64, hash: UInt64) {
            self.sequenceNumber = sequenceNumber
            self.hash = hash
        }
    }

    /// The action that a hit requires.
    @usableFromInline
    enum Action: Sendable {
        case none
        /// The ring was empty: the cache marks the shard.
        case markShard
        /// The ring is full: the cache drains it.
        case drain
    }

    /// The maximum number of hits.
    @inlinable static var limit: Int { 16 }

    @usableFromInline var hits = [Hit](repeating: Hit(sequenceNumber: 0, hash: 0), count: limit)
    /// The number of hits ever added.
    @usableFromInline var totalCount = 0
    @usableFromInline var drainedCount = 0

    init() {}

    @inlinable
    mutating func add(_ hit: Hit) -> Action {
        hits[totalCount & (Self.limit - 1)] = hit
        totalCount += 1
        if totalCount - drainedCount == 1 { return .markShard }
        return (totalCount - drainedCount) & (Self.limit - 1) == 0 ? .drain : .none
    }

    /// Moves the hits to an array.
    mutating func drain(into others: inout [Hit]) {
        for number in max(drainedCount, totalCount - Self.limit)..<totalCount { others.append(hits[number & (Self.limit - 1)]) }
        drainedCount = totalCount
    }
}
