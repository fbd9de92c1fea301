/// The values of one shard of a cache, by the hashes of their keys.
///
/// Of two keys with the same 64 bits of hash the newer one drives the other out; nobody is ever given the value of another key.
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
    /// When values are good no more that are not good without end, by place, in time since the cache was made.
    @usableFromInline var deadlines: [Int: Duration] = [:]
    @usableFromInline var hitRing = HitRing()
    @usableFromInline var hits = 0
    @usableFromInline var misses = 0

    init() {}

    /// The value of a key, and a note of the hit or the miss.
    ///
    /// - Parameter stamp: When this hit comes among all hits; 0 when nobody wants to know of it.
    @inlinable
    mutating func find(_ key: Key, _ hash: UInt64, sequenceNumber: UInt64, _ elapsed: () -> Duration) -> Lookup {
        guard let place = keys.slot(of: hash, where: { entries[$0]?.key == key }), let value = entries[place]?.value else {
            misses += 1
            return .miss
        }
        if !deadlines.isEmpty, let deadline = deadlines[place], deadline <= elapsed() {
            misses += 1
            return .expired
        }
        hits += 1
        return .hit(value, sequenceNumber == 0 ? .none : hitRing.add(HitRing.Hit(sequenceNumber: sequenceNumber, hash: hash)))
    }

    /// Adds an entry; returns the one whose place it takes.
    mutating func insert(_ entry: Entry, _ hash: UInt64, deadline: Duration?) -> Entry? {
        let known = keys.slot(of: hash)
        let place = known ?? keys.add(hash, cost: 0)
        if place == entries.count { entries.append(nil) }
        if deadline != nil || known != nil { deadlines[place] = deadline }
        defer { entries[place] = entry }
        return entries[place]
    }

    /// Takes out what has a hash, if it has the key as well and is not good any more at a moment, when these are given.
    mutating func remove(_ hash: UInt64, key: Key? = nil, expiredAt moment: Duration? = nil) -> Entry? {
        guard let place = keys.slot(of: hash), let entry = entries[place], key == nil || entry.key == key else { return nil }
        if let moment, !isExpired(place, at: moment) { return nil }
        keys.remove(place)
        deadlines[place] = nil
        entries[place] = nil
        return entry
    }

    /// The hashes of what is good no more at a moment.
    func expired(at moment: Duration) -> [UInt64] {
        deadlines.keys.filter { isExpired($0, at: moment) }.map { keys.hashes[$0] }
    }

    private func isExpired(_ place: Int, at moment: Duration) -> Bool { deadlines[place].map { $0 <= moment } ?? false }

    /// Forgets all entries and hits; counts go on.
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
