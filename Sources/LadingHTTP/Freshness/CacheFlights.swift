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

    private var entries: [UInt64: Entry] = [:]
    private var leaders: [String: UInt64] = [:]
    private var count: UInt64 = 0

    /// How many questions are under way.
    var openCount: Int { entries.count }

    /// The flight to wait for; nil when there is none with this key.
    func leader(of key: String) -> Flight? {
        leaders[key].flatMap { entries[$0]?.flight }
    }

    /// Begins a flight. Others may wait for it when it has a key.
    mutating func begin(in group: String, key: String?) -> Flight {
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
