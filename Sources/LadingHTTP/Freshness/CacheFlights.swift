/// Decides who asks an origin and who waits, and whose reply has been overtaken by a change: flights of requests with equal keys.
struct CacheFlights {
    /// One question to the origin.
    struct Flight: Hashable {
        let number: UInt64
        let group: String
    }

    private struct Entry {
        var flight: Flight
        var isInvalidated = false
        /// The key under which others wait for it; nil when nobody may.
        var key: String?
    }

    /// What becomes of a request that found nothing to answer it.
    enum JoinResult: Equatable {
        /// It asks.
        case lead(Flight)
        case wait(Flight)
        /// Another one was done with asking after this one had looked.
        case retryLookup
    }

    /// How many of the flights that nobody waits for any more are remembered.
    static let releaseHistoryLimit = 64

    private var entries: [UInt64: Entry] = [:]
    private var leaders: [String: UInt64] = [:]
    private var count: UInt64 = 0
    /// The hashes of the keys of the last flights that were released, oldest first: keys have credentials in them. Where two hashes are equal
    /// by chance, a request looks once more.
    private var releasedKeyHashes: [Int] = []

    /// How many flights that others could wait for have been released: the time by which a look at what is kept is dated.
    private(set) var releaseCount: UInt64 = 0

    /// How many questions are under way.
    var openCount: Int { entries.count }

    /// Lets a request take part in the flight of its key, or begins one. One without a key asks on its own.
    ///
    /// - Parameter look: What `releases` was before the request looked at what is kept.
    mutating func join(in group: String, key: String?, since seenReleases: UInt64) -> JoinResult {
        guard let key else { return .lead(begin(in: group, key: nil)) }
        if let leader = leader(of: key) { return .wait(leader) }
        let missed = Int(min(releaseCount - seenReleases, UInt64(releasedKeyHashes.count)))
        if releasedKeyHashes.suffix(missed).contains(key.hashValue) { return .retryLookup }
        return .lead(begin(in: group, key: key))
    }

    /// The flight to wait for; nil when there is none with this key.
    func leader(of key: String) -> Flight? {
        leaders[key].flatMap { entries[$0]?.flight }
    }

    /// Begins a flight. Others may wait for it when it has a key.
    private mutating func begin(in group: String, key: String?) -> Flight {
        count += 1
        let flight = Flight(number: count, group: group)
        entries[count] = Entry(flight: flight, key: key)
        if let key { leaders[key] = count }
        return flight
    }

    /// Nobody has to wait for it any more, and nobody comes to.
    mutating func release(_ flight: Flight) {
        guard let key = entries[flight.number]?.key else { return }
        if leaders[key] == flight.number { leaders[key] = nil }
        entries[flight.number]?.key = nil
        releaseCount += 1
        if releasedKeyHashes.count == Self.releaseHistoryLimit { releasedKeyHashes.removeFirst() }
        releasedKeyHashes.append(key.hashValue)
    }

    mutating func end(_ flight: Flight) {
        release(flight)
        entries[flight.number] = nil
    }

    /// What is under way for this group was asked before a change, and must not be kept; but for the flight that made it.
    mutating func invalidate(_ group: String, except change: Flight) {
        for (number, entry) in entries where entry.flight.group == group && entry.flight != change { entries[number]?.isInvalidated = true }
    }

    func isInvalidated(_ flight: Flight) -> Bool { entries[flight.number]?.isInvalidated ?? true }
}
