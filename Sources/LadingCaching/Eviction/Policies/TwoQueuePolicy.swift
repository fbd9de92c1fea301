/// Lets new keys pass through a queue, and holds by recency those that return after they have left it (2Q).
///
/// Uses while a key is in the queue say little: they often come in bursts (T. Johnson, D. Shasha, VLDB 1994, the full version).
struct TwoQueuePolicy: EvictionPolicy {
    private static let passingShare = 0.25
    private static let rememberedShare = 0.5

    private enum Standing: UInt8 {
        case passing
        case main
        /// Not held.
        case remembered
    }

    private let limit: Load
    private let passingLimit: Load
    private let rememberedLimit: Load
    private var places = KeyPlaces()
    private var standings: [Standing] = []
    private var links = Links()
    private var passing = Line()
    private var main = Line()
    private var remembered = Line()

    init(limit: Load) {
        self.limit = limit
        passingLimit = limit.share(Self.passingShare)
        rememberedLimit = limit.share(Self.rememberedShare)
    }

    func holds(_ hash: UInt64) -> Bool { places.place(of: hash).map { standings[$0] != .remembered } ?? false }

    mutating func use(_ hash: UInt64, cost: Int, released: inout [UInt64]) -> Bool {
        let known = places.place(of: hash)
        if let known, standings[known] != .remembered, places.costs[known] == cost {
            if standings[known] == .main {
                leave(known)
                stand(known, .main)
            }
            return true
        }
        if let known { forget(known) }
        while !(passing.load + main.load + Load(cost: cost, count: 1)).fits(limit), let key = release() { released.append(key) }
        let place = places.add(hash, cost: cost)
        if standings.count == place { standings.append(.passing) }
        stand(place, known == nil ? .passing : .main)
        return false
    }

    mutating func release() -> UInt64? {
        if let place = passing.last, !passing.load.fits(passingLimit) || main.last == nil {
            leave(place)
            stand(place, .remembered)
            trimMemory()
            return places.hashes[place]
        }
        guard let place = main.last else { return nil }
        forget(place)
        return places.hashes[place]
    }

    mutating func remove(_ hash: UInt64) {
        if let place = places.place(of: hash) { forget(place) }
    }

    private mutating func trimMemory() {
        let held = passing.load.count + main.load.count
        while !remembered.load.fits(rememberedLimit) || remembered.load.count > max(1, held), let oldest = remembered.last {
            forget(oldest)
        }
    }

    private mutating func stand(_ place: Int, _ standing: Standing) {
        standings[place] = standing
        let cost = places.costs[place]
        switch standing {
        case .passing: links.pushFirst(place, cost: cost, to: &passing)
        case .main: links.pushFirst(place, cost: cost, to: &main)
        case .remembered: links.pushFirst(place, cost: cost, to: &remembered)
        }
    }

    private mutating func leave(_ place: Int) {
        let cost = places.costs[place]
        switch standings[place] {
        case .passing: links.remove(place, cost: cost, from: &passing)
        case .main: links.remove(place, cost: cost, from: &main)
        case .remembered: links.remove(place, cost: cost, from: &remembered)
        }
    }

    private mutating func forget(_ place: Int) {
        leave(place)
        places.remove(place)
    }
}
