/// Decides who asks an origin and who waits, and whose reply has been overtaken by a change: flights of requests with equal keys.
struct CacheFlights {
    /// One question to the origin.
    struct Flight: Hashable {
        let number: UInt64
        let group: String
    }

    private struct Entry {
        var flight: Flight
        var isVoid = false
        /// The key under which others wait for it; nil when nobody may.
        var key: String?
    }

    /// What becomes of a request that found nothing to answer it.
    enum Part: Equatable {
        /// It asks.
        case leads(Flight)
        case waits(Flight)
        /// Another one was done with asking after this one had looked.
        case looksAgain
    }

    /// How many of the flights that nobody waits for any more are remembered.
    static let memory = 64

    private var entries: [UInt64: Entry] = [:]
    private var leaders: [String: UInt64] = [:]
    private var count: UInt64 = 0
    /// The hashes of the keys of the last flights that were released, oldest first: keys have credentials in them. Where two hashes are equal
    /// by chance, a request looks once more.
    private var released: [Int] = []

    /// How many flights that others could wait for have been released: the time by which a look at what is kept is dated.
    private(set) var releases: UInt64 = 0

    /// How many questions are under way.
    var openCount: Int { entries.count }

    /// Lets a request take part in the flight of its key, or begins one. One without a key asks on its own.
    ///
    /// - Parameter look: What `releases` was before the request looked at what is kept.
    mutating func join(in group: String, key: String?, since look: UInt64) -> Part {
        guard let key else { return .leads(begin(in: group, key: nil)) }
        if let leader = leader(of: key) { return .waits(leader) }
        let missed = Int(min(releases - look, UInt64(released.count)))
        if released.suffix(missed).contains(key.hashValue) { return .looksAgain }
        return .leads(begin(in: group, key: key))
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
        releases += 1
        if released.count == Self.memory { released.removeFirst() }
        released.append(key.hashValue)
    }

    mutating func end(_ flight: Flight) {
        release(flight)
        entries[flight.number] = nil
    }

    /// What is under way for this group was asked before a change, and must not be kept; but for the flight that made it.
    mutating func void(_ group: String, but change: Flight) {
        for (number, entry) in entries where entry.flight.group == group && entry.flight != change { entries[number]?.isVoid = true }
    }

    func isVoid(_ flight: Flight) -> Bool { entries[flight.number]?.isVoid ?? true }
}
