@testable import LadingCaching

/// A rule of eviction, written down as plainly as can be, for keys that all cost 1. Slow, and the same in what it holds.
protocol Oracle {
    init(size: Int)
    /// The keys that are held, in no order.
    var held: Set<UInt64> { get }
    mutating func use(_ key: UInt64)
}

/// LRU: the newest first.
struct LRUOracle: Oracle {
    let size: Int
    var keys: [UInt64] = []
    var held: Set<UInt64> { Set(keys) }

    init(size: Int) { self.size = size }

    mutating func use(_ key: UInt64) {
        keys.removeAll { $0 == key }
        keys.insert(key, at: 0)
        if keys.count > size { keys.removeLast() }
    }
}

/// 2Q, with a quarter for what passes and half as many remembered as are held.
struct TwoQueueOracle: Oracle {
    let size: Int
    var passing: [UInt64] = []
    var main: [UInt64] = []
    var remembered: [UInt64] = []
    var held: Set<UInt64> { Set(passing + main) }

    init(size: Int) { self.size = size }

    mutating func use(_ key: UInt64) {
        if passing.contains(key) { return }
        let isKnown = main.contains(key) || remembered.contains(key)
        let isHeld = main.contains(key)
        main.removeAll { $0 == key }
        remembered.removeAll { $0 == key }
        if !isHeld, passing.count + main.count >= size { release() }
        if isKnown { main.insert(key, at: 0) } else { passing.insert(key, at: 0) }
    }

    private mutating func release() {
        guard passing.count > max(1, size / 4) || main.isEmpty else { return _ = main.removeLast() }
        remembered.insert(passing.removeLast(), at: 0)
        if remembered.count > max(1, size / 2) { remembered.removeLast() }
    }
}

/// ARC, with a target that is at least 1.
struct ARCOracle: Oracle {
    let size: Int
    var target = 0.0
    var once: [UInt64] = []
    var often: [UInt64] = []
    var rememberedOnce: [UInt64] = []
    var rememberedOften: [UInt64] = []
    var held: Set<UInt64> { Set(once + often) }

    init(size: Int) { self.size = size }

    mutating func use(_ key: UInt64) {
        let isHeld = held.contains(key)
        let isKnown = isHeld || adapt(to: key)
        once.removeAll { $0 == key }
        often.removeAll { $0 == key }
        rememberedOnce.removeAll { $0 == key }
        rememberedOften.removeAll { $0 == key }
        if !isHeld, once.count + often.count >= size { release() }
        if isKnown { often.insert(key, at: 0) } else { once.insert(key, at: 0) }
        if isHeld { return }
        let most = once.count + often.count
        while once.count + rememberedOnce.count > most, !rememberedOnce.isEmpty { rememberedOnce.removeLast() }
        while rememberedOnce.count + rememberedOften.count > most, !rememberedOften.isEmpty { rememberedOften.removeLast() }
    }

    /// Returns whether the key is remembered.
    private mutating func adapt(to key: UInt64) -> Bool {
        let (ones, others) = (Double(rememberedOnce.count), Double(rememberedOften.count))
        let step = 1 / Double(once.count + often.count)
        if rememberedOnce.contains(key) {
            target = min(1, target + step * max(1, others / ones))
        } else if rememberedOften.contains(key) {
            target = max(0, target - step * max(1, ones / others))
        } else {
            return false
        }
        return true
    }

    private mutating func release() {
        if once.count > max(1, Int(Double(size) * target)) || often.isEmpty {
            rememberedOnce.insert(once.removeLast(), at: 0)
        } else {
            rememberedOften.insert(often.removeLast(), at: 0)
        }
    }
}

/// S3-FIFO, with a tenth for the short queue.
struct S3FIFOOracle: Oracle {
    let size: Int
    var short: [UInt64] = []
    var long: [UInt64] = []
    var remembered: [UInt64] = []
    var uses: [UInt64: Int] = [:]
    var hasReleased = false
    var held: Set<UInt64> { Set(short + long) }
    private var shortSize: Int { max(1, size / 10) }

    init(size: Int) { self.size = size }

    mutating func use(_ key: UInt64) {
        if held.contains(key) {
            uses[key] = min(3, uses[key, default: 0] + 1)
            return
        }
        let isKnown = remembered.contains(key)
        remembered.removeAll { $0 == key }
        while short.count + long.count >= size { release() }
        uses[key] = 0
        if isKnown || !hasReleased && short.count >= shortSize { long.insert(key, at: 0) } else { short.insert(key, at: 0) }
    }

    private mutating func release() {
        hasReleased = true
        if !short.isEmpty, short.count > shortSize || long.isEmpty {
            let key = short.removeLast()
            if uses[key, default: 0] > 1 {
                uses[key] = 0
                return long.insert(key, at: 0)
            }
            remembered.insert(key, at: 0)
            if remembered.count > min(size - shortSize, max(1, short.count + long.count)) { remembered.removeLast() }
        } else {
            let key = long.removeLast()
            guard uses[key, default: 0] > 0 else { return }
            uses[key, default: 0] -= 1
            long.insert(key, at: 0)
        }
    }
}

/// LIRS as in the paper, with one of a hundred for keys of high distance, and twice as many remembered as are held.
struct LIRSOracle: Oracle {
    let size: Int
    var stack: [UInt64] = []
    var low: Set<UInt64> = []
    var queue: [UInt64] = []
    /// In the order in which they were let go of, the newest first.
    var remembered: [UInt64] = []
    var held: Set<UInt64> { low.union(queue) }
    private var lowSize: Int { size - max(1, size / 100) }

    init(size: Int) { self.size = size }

    mutating func use(_ key: UInt64) {
        if low.contains(key) {
            restack(key)
        } else if queue.contains(key) {
            queue.removeAll { $0 == key }
            let wasStacked = stack.contains(key)
            restack(key)
            if wasStacked { low.insert(key) } else { queue.insert(key, at: 0) }
        } else if stack.contains(key) {
            remembered.removeAll { $0 == key }
            restack(key)
            low.insert(key)
        } else {
            if held.count >= size { release() }
            restack(key)
            if low.count < lowSize { low.insert(key) } else { queue.insert(key, at: 0) }
        }
        settle()
    }

    private mutating func settle() {
        prune()
        while low.count > lowSize { demote() }
        if held.count > size { release() }
        while remembered.count > 2 * held.count {
            let oldest = remembered.removeLast()
            stack.removeAll { $0 == oldest }
        }
    }

    private mutating func demote() {
        prune()
        guard let key = stack.popLast() else { return }
        low.remove(key)
        queue.insert(key, at: 0)
        prune()
    }

    private mutating func release() {
        if queue.isEmpty { demote() }
        let key = queue.removeLast()
        if stack.contains(key) { remembered.insert(key, at: 0) }
    }

    private mutating func restack(_ key: UInt64) {
        stack.removeAll { $0 == key }
        stack.insert(key, at: 0)
    }

    private mutating func prune() {
        while let key = stack.last, !low.contains(key) {
            stack.removeLast()
            remembered.removeAll { $0 == key }
        }
    }
}
