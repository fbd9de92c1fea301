/// The Low Inter-reference Recency Set (LIRS), which retains keys with the shortest distance between their last two uses.
///
/// Most of the room is for keys of low distance (LIR); the others (HIR) pass through a small queue. A stack of recent uses, which keys stay in for
/// some time after eviction, shows which key was used again sooner than the last LIR key (S. Jiang, X. Zhang, SIGMETRICS 2002).
struct LIRSPolicy: EvictionPolicy {
    /// The fraction of the limit for HIR keys.
    private static let hirShare = 0.01
    /// The maximum number of ghosts, as a multiple of the held keys.
    private static let ghostLimitFactor = 2

    private enum Segment: UInt8 {
        /// Held for its low distance; always in the stack.
        case lir
        /// Held in the queue, and in the stack while its last use is recent.
        case hir
        /// Evicted, but in the stack.
        case ghost
    }

    private let limit: Weight
    private let lirLimit: Weight
    private var keys = KeyTable()
    private var segments: [Segment] = []
    private var isInStack: [Bool] = []
    private var stackLinks = Links()
    private var links = Links()
    /// All recent uses; the last one is of an LIR key.
    private var stack = LinkedList()
    private var hirQueue = LinkedList()
    private var ghosts = LinkedList()
    private var lirWeight = Weight.zero

    init(limit: Weight) {
        self.limit = limit
        lirLimit = limit.subtracting(limit.scaled(by: Self.hirShare))
    }

    func contains(_ hash: UInt64) -> Bool { keys.slot(of: hash).map { segments[$0] != .ghost } ?? false }

    mutating func access(_ hash: UInt64, cost: Int, evicted: inout [UInt64]) -> Bool {
        guard let slot = keys.slot(of: hash), keys.costs[slot] == cost else {
            remove(hash)
            insert(hash, cost: cost, evicted: &evicted)
            return false
        }
        switch segments[slot] {
        case .lir:
            moveToStackTop(slot)
            pruneStack()
            return true
        case .hir:
            accessHIR(slot)
            return true
        case .ghost:
            links.remove(slot, cost: cost, from: &ghosts)
            moveToStackTop(slot)
            promoteToLIR(slot)
            demote()
            makeRoom(for: .zero, evicted: &evicted)
            return false
        }
    }

    private mutating func insert(_ hash: UInt64, cost: Int, evicted: inout [UInt64]) {
        makeRoom(for: Weight(cost: cost, count: 1), evicted: &evicted)
        let place = keys.add(hash, cost: cost)
        if segments.count == place {
            segments.append(.hir)
            isInStack.append(false)
        }
        isInStack[place] = false
        moveToStackTop(place)
        if (lirWeight + Weight(cost: cost, count: 1)).fits(lirLimit) {
            promoteToLIR(place)
        } else {
            segments[place] = .hir
            links.prepend(place, cost: cost, to: &hirQueue)
        }
        pruneStack()
        trimGhosts()
    }

    private mutating func accessHIR(_ place: Int) {
        let cost = keys.costs[place]
        links.remove(place, cost: cost, from: &hirQueue)
        if isInStack[place] {
            moveToStackTop(place)
            promoteToLIR(place)
            demote()
        } else {
            moveToStackTop(place)
            links.prepend(place, cost: cost, to: &hirQueue)
            pruneStack()
        }
    }

    mutating func evict() -> UInt64? {
        if hirQueue.last == nil { demoteLast() }
        guard let place = hirQueue.last else { return nil }
        evictSlot(place)
        return keys.hashes[place]
    }

    mutating func remove(_ hash: UInt64) {
        guard let place = keys.slot(of: hash) else { return }
        let cost = keys.costs[place]
        switch segments[place] {
        case .lir: lirWeight = lirWeight.subtracting(Weight(cost: cost, count: 1))
        case .hir: links.remove(place, cost: cost, from: &hirQueue)
        case .ghost: links.remove(place, cost: cost, from: &ghosts)
        }
        removeFromStack(place)
        keys.remove(place)
        pruneStack()
    }

    // MARK: Eviction

    private mutating func makeRoom(for added: Weight, evicted: inout [UInt64]) {
        while !(lirWeight + hirQueue.weight + added).fits(limit), let key = evict() { evicted.append(key) }
    }

    private mutating func evictSlot(_ place: Int) {
        let cost = keys.costs[place]
        links.remove(place, cost: cost, from: &hirQueue)
        if isInStack[place] {
            segments[place] = .ghost
            links.prepend(place, cost: cost, to: &ghosts)
        } else {
            keys.remove(place)
        }
    }

    private mutating func promoteToLIR(_ place: Int) {
        segments[place] = .lir
        lirWeight = lirWeight + Weight(cost: keys.costs[place], count: 1)
    }

    /// Moves LIR keys to the queue until the others are within `lirLimit`.
    private mutating func demote() {
        while !lirWeight.fits(lirLimit) { demoteLast() }
        pruneStack()
        trimGhosts()
    }

    /// Moves the least recently used LIR key to the queue.
    private mutating func demoteLast() {
        pruneStack()
        guard let place = stack.last else { return }
        let cost = keys.costs[place]
        lirWeight = lirWeight.subtracting(Weight(cost: cost, count: 1))
        removeFromStack(place)
        segments[place] = .hir
        links.prepend(place, cost: cost, to: &hirQueue)
        pruneStack()
    }

    // MARK: Stack

    private mutating func moveToStackTop(_ place: Int) {
        removeFromStack(place)
        stackLinks.prepend(place, cost: keys.costs[place], to: &stack)
        isInStack[place] = true
    }

    private mutating func removeFromStack(_ place: Int) {
        guard isInStack[place] else { return }
        stackLinks.remove(place, cost: keys.costs[place], from: &stack)
        isInStack[place] = false
    }

    /// Removes HIR keys from the bottom of the stack.
    private mutating func pruneStack() {
        while let place = stack.last, segments[place] != .lir {
            removeFromStack(place)
            if segments[place] == .ghost {
                links.remove(place, cost: keys.costs[place], from: &ghosts)
                keys.remove(place)
            }
        }
    }

    private mutating func trimGhosts() {
        while ghosts.weight.count > Self.ghostLimitFactor * min(limit.count, lirWeight.count + hirQueue.weight.count),
            let place = ghosts.last
        {
            links.remove(place, cost: keys.costs[place], from: &ghosts)
            removeFromStack(place)
            keys.remove(place)
        }
    }
}
