/// The last hits on a shard that the rules have not been told of; when there are too many, the oldest are left out.
@usableFromInline
struct HitRing: Sendable {
    @usableFromInline
    struct Hit: Sendable {
        /// Grows from hit to hit in the whole cache: hits of several shards are told in the order in which they came.
        @usableFromInline let sequenceNumber: UInt64
        @usableFromInline let hash: UInt64

        @inlinable
        init(sequenceNumber: UInt64, hash: UInt64) {
            self.sequenceNumber = sequenceNumber
            self.hash = hash
        }
    }

    /// What is to be done after a hit.
    @usableFromInline
    enum Action: Sendable {
        case none
        /// There were none before: the cache is to know that here are some.
        case markShard
        /// The ring is full.
        case drain
    }

    /// How many hits are kept.
    @inlinable static var limit: Int { 16 }

    @usableFromInline var hits = [Hit](repeating: Hit(sequenceNumber: 0, hash: 0), count: limit)
    /// How many hits there were, and how many of them have been taken or were left out when the last were.
    @usableFromInline var totalCount = 0
    @usableFromInline var drainedCount = 0

    init() {}

    @inlinable
    mutating func add(_ use: Hit) -> Action {
        hits[totalCount & (Self.limit - 1)] = use
        totalCount += 1
        if totalCount - drainedCount == 1 { return .markShard }
        return (totalCount - drainedCount) & (Self.limit - 1) == 0 ? .drain : .none
    }

    /// Moves what is kept to others.
    mutating func drain(into others: inout [Hit]) {
        for number in max(drainedCount, totalCount - Self.limit)..<totalCount { others.append(hits[number & (Self.limit - 1)]) }
        drainedCount = totalCount
    }
}
