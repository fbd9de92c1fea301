/// Holds the keys with the shortest distance between their last two uses (LIRS).
///
/// Most of the room is for keys of low distance; the others pass through a small queue. A stack of recent uses, in which keys stay for a while
/// after they were let go of, tells which key has come back sooner than the last of low distance (S. Jiang, X. Zhang, SIGMETRICS 2002).
struct LIRSPolicy: EvictionPolicy {
    /// The share of the limit through which keys of high distance pass.
    private static let passingShare = 0.01
    /// How many keys that are not held are remembered, in limits.
    private static let memory = 2

    private enum Standing: UInt8 {
        /// Held for its low distance; always in the stack.
        case low
        /// Held in the queue, and in the stack while its last use is recent.
        case passing
        /// Not held; in the stack.
        case remembered
    }

    private let limit: Load
    private let lowLimit: Load
    private var places = KeyPlaces()
    private var standings: [Standing] = []
    private var isStacked: [Bool] = []
    private var stackLinks = Links()
    private var links = Links()
    /// All recent uses; the last one is of a low distance.
    private var stack = Line()
    private var passing = Line()
    private var remembered = Line()
    private var low = Load.none

    init(limit: Load) {
        self.limit = limit
        lowLimit = limit.remainder(limit.share(Self.passingShare))
    }

    func holds(_ hash: UInt64) -> Bool { places.place(of: hash).map { standings[$0] != .remembered } ?? false }

    mutating func use(_ hash: UInt64, cost: Int, released: inout [UInt64]) -> Bool {
        guard let place = places.place(of: hash), places.costs[place] == cost else {
            remove(hash)
            addNew(hash, cost: cost, released: &released)
            return false
        }
        switch standings[place] {
        case .low:
            restack(place)
            pruneStack()
            return true
        case .passing:
            usePassing(place)
            return true
        case .remembered:
            links.remove(place, cost: cost, from: &remembered)
            restack(place)
            beLow(place)
            demote()
            makeRoom(for: .none, released: &released)
            return false
        }
    }

    private mutating func addNew(_ hash: UInt64, cost: Int, released: inout [UInt64]) {
        makeRoom(for: Load(cost: cost, count: 1), released: &released)
        let place = places.add(hash, cost: cost)
        if standings.count == place {
            standings.append(.passing)
            isStacked.append(false)
        }
        isStacked[place] = false
        restack(place)
        if (low + Load(cost: cost, count: 1)).fits(lowLimit) {
            beLow(place)
        } else {
            standings[place] = .passing
            links.pushFirst(place, cost: cost, to: &passing)
        }
        pruneStack()
        trimMemory()
    }

    private mutating func usePassing(_ place: Int) {
        let cost = places.costs[place]
        links.remove(place, cost: cost, from: &passing)
        if isStacked[place] {
            restack(place)
            beLow(place)
            demote()
        } else {
            restack(place)
            links.pushFirst(place, cost: cost, to: &passing)
            pruneStack()
        }
    }

    mutating func release() -> UInt64? {
        if passing.last == nil { demoteLast() }
        guard let place = passing.last else { return nil }
        letGo(place)
        return places.hashes[place]
    }

    mutating func remove(_ hash: UInt64) {
        guard let place = places.place(of: hash) else { return }
        let cost = places.costs[place]
        switch standings[place] {
        case .low: low = low.remainder(Load(cost: cost, count: 1))
        case .passing: links.remove(place, cost: cost, from: &passing)
        case .remembered: links.remove(place, cost: cost, from: &remembered)
        }
        unstack(place)
        places.remove(place)
        pruneStack()
    }

    // MARK: Room

    private mutating func makeRoom(for added: Load, released: inout [UInt64]) {
        while !(low + passing.load + added).fits(limit), let key = release() { released.append(key) }
    }

    private mutating func letGo(_ place: Int) {
        let cost = places.costs[place]
        links.remove(place, cost: cost, from: &passing)
        if isStacked[place] {
            standings[place] = .remembered
            links.pushFirst(place, cost: cost, to: &remembered)
        } else {
            places.remove(place)
        }
    }

    private mutating func beLow(_ place: Int) {
        standings[place] = .low
        low = low + Load(cost: places.costs[place], count: 1)
    }

    /// Moves keys of low distance to the queue until the others have the room that is theirs.
    private mutating func demote() {
        while !low.fits(lowLimit), low.count > 0 { demoteLast() }
        pruneStack()
        trimMemory()
    }

    /// Moves the key of low distance that was used least recently to the queue.
    private mutating func demoteLast() {
        pruneStack()
        guard let place = stack.last else { return }
        let cost = places.costs[place]
        low = low.remainder(Load(cost: cost, count: 1))
        unstack(place)
        standings[place] = .passing
        links.pushFirst(place, cost: cost, to: &passing)
        pruneStack()
    }

    // MARK: The stack

    private mutating func restack(_ place: Int) {
        unstack(place)
        stackLinks.pushFirst(place, cost: places.costs[place], to: &stack)
        isStacked[place] = true
    }

    private mutating func unstack(_ place: Int) {
        guard isStacked[place] else { return }
        stackLinks.remove(place, cost: places.costs[place], from: &stack)
        isStacked[place] = false
    }

    /// Takes keys of high distance off the bottom of the stack.
    private mutating func pruneStack() {
        while let place = stack.last, standings[place] != .low {
            unstack(place)
            if standings[place] == .remembered {
                links.remove(place, cost: places.costs[place], from: &remembered)
                places.remove(place)
            }
        }
    }

    private mutating func trimMemory() {
        while remembered.load.count > Self.memory * min(limit.count, low.count + passing.load.count), let place = remembered.last {
            links.remove(place, cost: places.costs[place], from: &remembered)
            unstack(place)
            places.remove(place)
        }
    }
}
