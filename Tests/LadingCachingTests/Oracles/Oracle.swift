/// A slow, simple implementation of an eviction policy for keys of cost 1, for comparison of the held keys.
protocol Oracle {
    init(size: Int)
    /// The held keys.
    var residentKeys: Set<UInt64> { get }
    mutating func access(_ key: UInt64)
}

/// LRU, newest key first.
struct LRUOracle: Oracle {
    let size: Int
    var keys: [UInt64] = []
    var residentKeys: Set<UInt64> { Set(keys) }

    init(size: Int) { self.size = size }

    mutating func access(_ key: UInt64) {
        keys.removeAll { $0 == key }
        keys.insert(key, at: 0)
        if keys.count > size { keys.removeLast() }
    }
}

/// 2Q, with a quarter for the incoming queue and half as many ghosts as held keys.
struct TwoQueueOracle: Oracle {
    let size: Int
    var incoming: [UInt64] = []
    var main: [UInt64] = []
    var ghosts: [UInt64] = []
    var residentKeys: Set<UInt64> { Set(incoming + main) }

    init(size: Int) { self.size = size }

    mutating func access(_ key: UInt64) {
        if incoming.contains(key) { return }
        let isKnown = main.contains(key) || ghosts.contains(key)
        let isHeld = main.contains(key)
        main.removeAll { $0 == key }
        ghosts.removeAll { $0 == key }
        if !isHeld, incoming.count + main.count >= size { evict() }
        if isKnown { main.insert(key, at: 0) } else { incoming.insert(key, at: 0) }
    }

    private mutating func evict() {
        guard incoming.count > max(1, size / 4) || main.isEmpty else { return _ = main.removeLast() }
        ghosts.insert(incoming.removeLast(), at: 0)
        if ghosts.count > max(1, size / 2) { ghosts.removeLast() }
    }
}

/// ARC, with a target of at least 1.
struct ARCOracle: Oracle {
    let size: Int
    var target = 0.0
    var recent: [UInt64] = []
    var frequent: [UInt64] = []
    var recentGhosts: [UInt64] = []
    var frequentGhosts: [UInt64] = []
    var residentKeys: Set<UInt64> { Set(recent + frequent) }

    init(size: Int) { self.size = size }

    mutating func access(_ key: UInt64) {
        let isHeld = residentKeys.contains(key)
        let isKnown = isHeld || adapt(to: key)
        recent.removeAll { $0 == key }
        frequent.removeAll { $0 == key }
        recentGhosts.removeAll { $0 == key }
        frequentGhosts.removeAll { $0 == key }
        if !isHeld, recent.count + frequent.count >= size { evict() }
        if isKnown { frequent.insert(key, at: 0) } else { recent.insert(key, at: 0) }
        if isHeld { return }
        let most = recent.count + frequent.count
        while recent.count + recentGhosts.count > most, !recentGhosts.isEmpty { recentGhosts.removeLast() }
        while recentGhosts.count + frequentGhosts.count > most, !frequentGhosts.isEmpty { frequentGhosts.removeLast() }
    }

    /// Adapts the target to a ghost; returns whether the key is one.
    private mutating func adapt(to key: UInt64) -> Bool {
        let (ones, others) = (Double(recentGhosts.count), Double(frequentGhosts.count))
        let step = 1 / Double(recent.count + frequent.count)
        if recentGhosts.contains(key) {
            target = min(1, target + step * max(1, others / ones))
        } else if frequentGhosts.contains(key) {
            target = max(0, target - step * max(1, ones / others))
        } else {
            return false
        }
        return true
    }

    private mutating func evict() {
        if recent.count > max(1, Int(Double(size) * target)) || frequent.isEmpty {
            recentGhosts.insert(recent.removeLast(), at: 0)
        } else {
            frequentGhosts.insert(frequent.removeLast(), at: 0)
        }
    }
}

/// S3-FIFO, with a tenth for the small queue.
struct S3FIFOOracle: Oracle {
    let size: Int
    var small: [UInt64] = []
    var main: [UInt64] = []
    var ghosts: [UInt64] = []
    var frequencies: [UInt64: Int] = [:]
    var hasEvicted = false
    var residentKeys: Set<UInt64> { Set(small + main) }
    private var smallSize: Int { max(1, size / 10) }

    init(size: Int) { self.size = size }

    mutating func access(_ key: UInt64) {
        if residentKeys.contains(key) {
            frequencies[key] = min(3, frequencies[key, default: 0] + 1)
            return
        }
        let isKnown = ghosts.contains(key)
        ghosts.removeAll { $0 == key }
        while small.count + main.count >= size { evict() }
        frequencies[key] = 0
        if isKnown || !hasEvicted && small.count >= smallSize { main.insert(key, at: 0) } else { small.insert(key, at: 0) }
    }

    private mutating func evict() {
        hasEvicted = true
        if !small.isEmpty, small.count > smallSize || main.isEmpty {
            let key = small.removeLast()
            if frequencies[key, default: 0] > 1 {
                frequencies[key] = 0
                return main.insert(key, at: 0)
            }
            ghosts.insert(key, at: 0)
            if ghosts.count > min(size - smallSize, max(1, small.count + main.count)) { ghosts.removeLast() }
        } else {
            let key = main.removeLast()
            guard frequencies[key, default: 0] > 0 else { return }
            frequencies[key, default: 0] -= 1
            main.insert(key, at: 0)
        }
    }
}

/// LIRS as in the paper, with a hundredth for HIR keys, and twice as many ghosts as held keys.
struct LIRSOracle: Oracle {
    let size: Int
    var stack: [UInt64] = []
    var lir: Set<UInt64> = []
    var queue: [UInt64] = []
    /// The evicted keys, newest first.
    var ghosts: [UInt64] = []
    var residentKeys: Set<UInt64> { lir.union(queue) }
    private var lirSize: Int { size - max(1, size / 100) }

    init(size: Int) { self.size = size }

    mutating func access(_ key: UInt64) {
        if lir.contains(key) {
            moveToStackTop(key)
        } else if queue.contains(key) {
            queue.removeAll { $0 == key }
            let wasStacked = stack.contains(key)
            moveToStackTop(key)
            if wasStacked { lir.insert(key) } else { queue.insert(key, at: 0) }
        } else if stack.contains(key) {
            ghosts.removeAll { $0 == key }
            moveToStackTop(key)
            lir.insert(key)
        } else {
            if residentKeys.count >= size { evict() }
            moveToStackTop(key)
            if lir.count < lirSize { lir.insert(key) } else { queue.insert(key, at: 0) }
        }
        rebalance()
    }

    private mutating func rebalance() {
        pruneStack()
        while lir.count > lirSize { demote() }
        if residentKeys.count > size { evict() }
        while ghosts.count > 2 * residentKeys.count {
            let oldest = ghosts.removeLast()
            stack.removeAll { $0 == oldest }
        }
    }

    private mutating func demote() {
        pruneStack()
        guard let key = stack.popLast() else { return }
        lir.remove(key)
        queue.insert(key, at: 0)
        pruneStack()
    }

    private mutating func evict() {
        if queue.isEmpty { demote() }
        let key = queue.removeLast()
        if stack.contains(key) { ghosts.insert(key, at: 0) }
    }

    private mutating func moveToStackTop(_ key: UInt64) {
        stack.removeAll { $0 == key }
        stack.insert(key, at: 0)
    }

    private mutating func pruneStack() {
        while let key = stack.last, !lir.contains(key) {
            stack.removeLast()
            ghosts.removeAll { $0 == key }
        }
    }
}
