/// The values of one shard, by the hashes of their keys.
///
/// Of two keys with equal 64-bit hashes the newer one replaces the other. A lookup compares keys, and never returns the value of another key.
@usableFromInline
struct ValueTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let key: Key
        @usableFromInline let value: Value
    }

    @usableFromInline
    enum Lookup: Sendable {
        case hit(Value, HitRing.Action)
        case miss
        case expired
    }

    @usableFromInline var keys = KeyTable()
    @usableFromInline var entries: [Entry?] = []
    /// The expiration times of values with a lifetime, by slot, since the cache was created.
    @usableFromInline var deadlines: [Int: Duration] = [:]
    @usableFromInline var hitRing = HitRing()
    @usableFromInline var hits = 0
    @usableFromInline var misses = 0

    init() {}

    /// Returns the value of a key, and counts the hit or miss.
    ///
    /// - Parameter sequenceNumber: The number of this hit in the cache; 0 for hits that are not recorded.
    @inlinable
    mutating func find(_ key: Key, _ hash: UInt64, sequenceNumber: UInt64, _ elapsed: () -> Duration) -> Lookup {
        guard let slot = keys.slot(of: hash, where: { entries[$0]?.key == key }), let value = entries[slot]?.value else {
            misses += 1
            return .miss
        }
        if !deadlines.isEmpty, let deadline = deadlines[slot], deadline <= elapsed() {
            misses += 1
            return .expired
        }
        hits += 1
        return .hit(value, sequenceNumber == 0 ? .none : hitRing.add(HitRing.Hit(sequenceNumber: sequenceNumber, hash: hash)))
    }

    /// Inserts an entry; returns the one that it replaces.
    mutating func insert(_ entry: Entry, _ hash: UInt64, deadline: Duration?) -> Entry? {
        let known = keys.slot(of: hash)
        let place = known ?? keys.add(hash, cost: 0)
        if place == entries.count { entries.append(nil) }
        if deadline != nil || known != nil { deadlines[place] = deadline }
        defer { entries[place] = entry }
        return entries[place]
    }

    /// Removes and returns the entry of a hash; with `key`, only if the keys are equal; with `time`, only if it has expired by then.
    mutating func remove(_ hash: UInt64, key: Key? = nil, expiredAt time: Duration? = nil) -> Entry? {
        guard let place = keys.slot(of: hash), let entry = entries[place], key == nil || entry.key == key else { return nil }
        if let time, !isExpired(place, at: time) { return nil }
        keys.remove(place)
        deadlines[place] = nil
        entries[place] = nil
        return entry
    }

    /// Returns the hashes of entries that have expired by a time.
    func expired(at time: Duration) -> [UInt64] {
        deadlines.keys.filter { isExpired($0, at: time) }.map { keys.hashes[$0] }
    }

    private func isExpired(_ place: Int, at time: Duration) -> Bool { deadlines[place].map { $0 <= time } ?? false }

    /// Removes and returns all entries, and removes recorded hits; the counters continue.
    mutating func removeAll() -> [Entry?] {
        defer {
            keys = KeyTable()
            entries = []
            deadlines = [:]
            hitRing = HitRing()
        }
        return entries
    }
}
