/// Lets new keys prove themselves in a short queue before they come into the long one (S3-FIFO).
///
/// A key that is used again in the short queue moves on; any other is let go of and remembered, and comes into the long queue at once when it
/// returns in time. The long queue gives keys as many more rounds as they were used (J. Yang et al., SOSP 2023).
struct S3FIFOPolicy: EvictionPolicy {
    private static let usesLimit: UInt8 = 3
    private static let shortShare = 0.1

    private enum Standing: UInt8 {
        case short
        case long
        /// Not held.
        case remembered
    }

    private let limit: Load
    private let shortLimit: Load
    private let longLimit: Load
    private var places = KeyPlaces()
    private var standings: [Standing] = []
    private var uses: [UInt8] = []
    private var links = Links()
    private var short = Line()
    private var long = Line()
    private var remembered = Line()
    /// Until the limit is reached for the first time, what does not fit the short queue comes into the long one.
    private var hasReleased = false

    init(limit: Load) {
        self.limit = limit
        shortLimit = limit.share(Self.shortShare)
        longLimit = limit.remainder(shortLimit)
    }

    func holds(_ hash: UInt64) -> Bool { places.place(of: hash).map { standings[$0] != .remembered } ?? false }

    mutating func use(_ hash: UInt64, cost: Int, released: inout [UInt64]) -> Bool {
        let known = places.place(of: hash)
        if let known, standings[known] != .remembered, places.costs[known] == cost {
            uses[known] = min(uses[known] + 1, Self.usesLimit)
            return true
        }
        let added = Load(cost: cost, count: 1)
        if let known { forget(known) }
        while !(short.load + long.load + added).fits(limit), let key = release() { released.append(key) }
        let place = places.add(hash, cost: cost)
        if standings.count == place {
            standings.append(.short)
            uses.append(0)
        }
        uses[place] = 0
        let isShortFull = !(short.load + added).fits(shortLimit)
        stand(place, known != nil || !hasReleased && isShortFull ? .long : .short)
        return false
    }

    mutating func release() -> UInt64? {
        hasReleased = true
        while true {
            if let place = short.last, !short.load.fits(shortLimit) || long.last == nil {
                leave(place)
                if uses[place] > 1 {
                    uses[place] = 0
                    stand(place, .long)
                } else {
                    stand(place, .remembered)
                    trimMemory()
                    return places.hashes[place]
                }
            } else if let place = long.last {
                leave(place)
                if uses[place] > 0 {
                    uses[place] -= 1
                    stand(place, .long)
                } else {
                    places.remove(place)
                    return places.hashes[place]
                }
            } else {
                return nil
            }
        }
    }

    mutating func remove(_ hash: UInt64) {
        if let place = places.place(of: hash) { forget(place) }
    }

    private mutating func trimMemory() {
        let held = short.load.count + long.load.count
        while !remembered.load.fits(longLimit) || remembered.load.count > max(1, held), let oldest = remembered.last { forget(oldest) }
    }

    private mutating func stand(_ place: Int, _ standing: Standing) {
        standings[place] = standing
        let cost = places.costs[place]
        switch standing {
        case .short: links.pushFirst(place, cost: cost, to: &short)
        case .long: links.pushFirst(place, cost: cost, to: &long)
        case .remembered: links.pushFirst(place, cost: cost, to: &remembered)
        }
    }

    private mutating func leave(_ place: Int) {
        let cost = places.costs[place]
        switch standings[place] {
        case .short: links.remove(place, cost: cost, from: &short)
        case .long: links.remove(place, cost: cost, from: &long)
        case .remembered: links.remove(place, cost: cost, from: &remembered)
        }
    }

    private mutating func forget(_ place: Int) {
        leave(place)
        places.remove(place)
    }
}
