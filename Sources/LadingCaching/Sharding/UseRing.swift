/// The last hits on a shard that the rules have not been told of; when there are too many, the oldest are left out.
@usableFromInline
struct UseRing: Sendable {
    @usableFromInline
    struct Use: Sendable {
        /// Grows from hit to hit in the whole cache: hits of several shards are told in the order in which they came.
        @usableFromInline let stamp: UInt64
        @usableFromInline let hash: UInt64

        @inlinable
        init(stamp: UInt64, hash: UInt64) {
            self.stamp = stamp
            self.hash = hash
        }
    }

    /// What is to be done after a hit.
    @usableFromInline
    enum Need: Sendable {
        case nothing
        /// There were none before: the cache is to know that here are some.
        case notice
        /// The ring is full.
        case taking
    }

    /// How many hits are kept.
    @inlinable static var limit: Int { 16 }

    @usableFromInline var uses = [Use](repeating: Use(stamp: 0, hash: 0), count: limit)
    /// How many hits there were, and how many of them have been taken or were left out when the last were.
    @usableFromInline var total = 0
    @usableFromInline var taken = 0

    init() {}

    @inlinable
    mutating func add(_ use: Use) -> Need {
        uses[total & (Self.limit - 1)] = use
        total += 1
        if total - taken == 1 { return .notice }
        return (total - taken) & (Self.limit - 1) == 0 ? .taking : .nothing
    }

    /// Moves what is kept to others.
    mutating func take(into others: inout [Use]) {
        for number in max(taken, total - Self.limit)..<total { others.append(uses[number & (Self.limit - 1)]) }
        taken = total
    }
}
