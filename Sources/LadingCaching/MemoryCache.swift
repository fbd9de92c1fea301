import Synchronization

/// Keeps values in memory, bounded by their cost, and forgets those used least recently.
///
/// Reading and writing take one short lock; a value is returned as it was stored.
///
/// ```swift
/// let pictures = MemoryCache<String, [UInt8]>(costLimit: 64 << 20)
/// pictures.store(bytes, for: "broccoli", cost: bytes.count)
/// let known = pictures.value(for: "broccoli")
/// ```
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The highest sum of the costs of what is kept.
    public let costLimit: Int
    private let entries: Mutex<RecencyList<Key, Value>>

    /// - Parameter costLimit: In the unit of the costs given to `store`, such as bytes or, with the default cost of 1, values.
    public init(costLimit: Int) {
        precondition(costLimit > 0, "a cache that may keep nothing is no cache")
        self.costLimit = costLimit
        self.entries = Mutex(RecencyList())
    }

    /// The number of values kept.
    public var count: Int { entries.withLock { $0.count } }

    /// The value of a key, which thereby counts as used; nil when it is not kept.
    public func value(for key: Key) -> Value? {
        entries.withLock { $0.use(key) }
    }

    /// Keeps a value in place of the one its key had. A value that costs more than the limit is not kept.
    public func store(_ value: Value, for key: Key, cost: Int = 1) {
        entries.withLock { entries in
            entries.remove(key)
            guard cost <= costLimit else { return }
            entries.insert(value, for: key, cost: cost)
            while entries.cost > costLimit { entries.removeLast() }
        }
    }

    /// Forgets the value of a key.
    public func removeValue(for key: Key) {
        entries.withLock { $0.remove(key) }
    }

    /// Forgets everything.
    public func removeAll() {
        entries.withLock { $0 = RecencyList() }
    }
}
