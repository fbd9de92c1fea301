public import Synchronization

/// The part of a cache's values that lies behind one lock, chosen by hash.
@usableFromInline
final class CacheShard<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// How many parts a cache has: more than threads usually meet in it at once, and as many as an integer has bits at most.
    @inlinable static var count: Int { 32 }

    @usableFromInline let table = Mutex(ValueTable<Key, Value>())

    init() {}

    @inlinable
    static func hash(of key: Key) -> UInt64 { UInt64(truncatingIfNeeded: key.hashValue) }

    /// The shard of a hash: by bits that neither places nor samples are chosen by.
    @inlinable
    static func index(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (count - 1) }
}
