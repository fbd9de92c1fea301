/// The decisions about flights of requests with equal keys: which one is forwarded, which wait, and which responses a change has invalidated.
struct CacheFlights {
    /// A request to the origin.
    struct Flight: Hashable {
        let number: UInt64
        /// The group of stored responses that the request may change: those of one partition and URL.
        let group: String
    }

    private struct Entry {
        var flight: Flight
        var isInvalidated = false
        /// The key by which others wait for the flight; nil when none may.
        var key: String?
    }

    /// A released flight.
    private struct Release {
        /// The hash of its key, which contains credentials. A collision costs one more lookup, or a request of its own.
        var keyHash: Int
        var isUnstorable: Bool
    }

    /// The result of joining a flight, for a request without a response to serve.
    enum JoinResult: Equatable {
        /// The request is forwarded.
        case forward(Flight)
        case wait(Flight)
        /// A flight with this key was released after the lookup of the request.
        case retryLookup
    }

    /// The maximum number of released flights to remember.
    static let releaseHistoryLimit = 64

    private var entries: [UInt64: Entry] = [:]
    private var leaderNumbers: [String: UInt64] = [:]
    private var lastNumber: UInt64 = 0
    /// The last released flights, oldest first.
    private var releases: [Release] = []

    /// The number of released flights that had a key. `join` compares it with its value before a lookup.
    private(set) var releaseCount: UInt64 = 0

    /// The number of flights in progress.
    var openCount: Int { entries.count }

    /// Joins the flight of a key, or begins one. A request without a key is forwarded on its own.
    ///
    /// So is a request that arrived before an equal one was released whose response cannot be stored: another wait would be in vain.
    ///
    /// - Parameters:
    ///   - seenReleases: The value of `releaseCount` before the lookup.
    ///   - arrival: The value of `releaseCount` before the first lookup; nil if this is the first.
    mutating func join(in group: String, key: String?, since seenReleases: UInt64, arrival: UInt64? = nil) -> JoinResult {
        guard let key, !rememberedReleases(of: key, since: arrival ?? seenReleases).contains(where: \.isUnstorable) else {
            return .forward(begin(in: group, key: nil))
        }
        if let leader = leader(of: key) { return .wait(leader) }
        guard rememberedReleases(of: key, since: seenReleases).isEmpty else { return .retryLookup }
        return .forward(begin(in: group, key: key))
    }

    /// Returns the remembered releases of a key since a value of `releaseCount`.
    private func rememberedReleases(of key: String, since seenReleases: UInt64) -> [Release] {
        let missed = Int(min(releaseCount - seenReleases, UInt64(releases.count)))
        return releases.suffix(missed).filter { $0.keyHash == key.hashValue }
    }

    /// Returns the flight to wait for; nil when there is none with this key.
    func leader(of key: String) -> Flight? {
        leaderNumbers[key].flatMap { entries[$0]?.flight }
    }

    /// Begins a flight. Others may wait for one with a key.
    private mutating func begin(in group: String, key: String?) -> Flight {
        lastNumber += 1
        let flight = Flight(number: lastNumber, group: group)
        entries[lastNumber] = Entry(flight: flight, key: key)
        if let key { leaderNumbers[key] = lastNumber }
        return flight
    }

    /// Ends waiting for a flight, whose response may be stored now. The flight remains open, and can be invalidated, until `end`.
    ///
    /// - Parameter isUnstorable: Whether the response cannot be stored.
    mutating func release(_ flight: Flight, isUnstorable: Bool = false) {
        guard let key = entries[flight.number]?.key else { return }
        if leaderNumbers[key] == flight.number { leaderNumbers[key] = nil }
        entries[flight.number]?.key = nil
        releaseCount += 1
        if releases.count == Self.releaseHistoryLimit { releases.removeFirst() }
        releases.append(Release(keyHash: key.hashValue, isUnstorable: isUnstorable))
    }

    /// Removes a flight, whose response has been stored or will not be. Waiting for it ends too.
    mutating func end(_ flight: Flight) {
        release(flight)
        entries[flight.number] = nil
    }

    /// Invalidates the flights of a group except the one that changed it: their responses precede the change and must not be stored.
    mutating func invalidate(_ group: String, except change: Flight) {
        for (number, entry) in entries where entry.flight.group == group && entry.flight != change { entries[number]?.isInvalidated = true }
    }

    /// Whether the response of a flight must not be stored; true after `end`.
    func isInvalidated(_ flight: Flight) -> Bool { entries[flight.number]?.isInvalidated ?? true }
}
