public import Synchronization

/// A shard of a cache's values behind a lock of its own, chosen by hash.
@usableFromInline
final class CacheShard<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The number of shards: more than the threads that typically access a cache at once, and at most the bits of an integer.
    @inlinable static var count: Int { 32 }

    @usableFromInline let table = Mutex(ValueTable<Key, Value>())

    init() {}

    @inlinable
    static func hash(of key: Key) -> UInt64 { UInt64(truncatingIfNeeded: key.hashValue) }

    /// Returns the index of a hash's shard, from bits that determine neither slots nor samples.
    @inlinable
    static func index(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (count - 1) }
}
