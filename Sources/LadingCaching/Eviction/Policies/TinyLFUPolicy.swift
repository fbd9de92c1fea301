/// The W-TinyLFU policy, which admits a key only if it was used more often recently than the one that it would evict.
///
/// New keys pass through a small LRU window; behind it is a segmented LRU, whose new keys are on probation (G. Einziger, R. Friedman, B. Manes, ACM
/// TOS 2017).
struct TinyLFUPolicy: EvictionPolicy {
    private static let windowShare = 0.01
    private static let protectedShare = 0.8
    /// The initial capacity of the sketch, which grows with the number of keys.
    private static let initialSketchCapacity = 1_024

    private enum Segment: UInt8 {
        case window
        case probation
        case protected
    }

    private let limit: Weight
    private let windowLimit: Weight
    private let protectedLimit: Weight
    private var sketch: FrequencySketch
    private var keys = KeyTable()
    private var segments: [Segment] = []
    private var links = Links()
    private var window = LinkedList()
    private var probation = LinkedList()
    private var protected = LinkedList()

    init(limit: Weight) {
        self.limit = limit
        windowLimit = limit.scaled(by: Self.windowShare)
        sketch = FrequencySketch(capacity: min(limit.count, limit.cost, Self.initialSketchCapacity))
        protectedLimit = limit.subtracting(windowLimit).scaled(by: Self.protectedShare)
    }

    func contains(_ hash: UInt64) -> Bool { keys.slot(of: hash) != nil }

    mutating func access(_ hash: UInt64, cost: Int, evicted: inout [UInt64]) -> Bool {
        sketch.increment(hash)
        let known = keys.slot(of: hash)
        if let slot = known, keys.costs[slot] == cost {
            let segment = segments[slot]
            unlink(slot)
            insert(slot, into: segment == .window ? .window : .protected)
            demote()
            return true
        }
        if let known { removeSlot(known) }
        let place = keys.add(hash, cost: cost)
        if segments.count == place { segments.append(.window) }
        insert(place, into: .window)
        drainWindow(&evicted)
        if keys.count > sketch.capacity { sketch.grow() }
        return false
    }

    mutating func evict() -> UInt64? {
        guard let place = probation.last ?? protected.last ?? window.last else { return nil }
        removeSlot(place)
        return keys.hashes[place]
    }

    mutating func remove(_ hash: UInt64) {
        if let place = keys.slot(of: hash) { removeSlot(place) }
    }

    /// Moves keys that exceed the window to probation if they are admitted, and evicts them otherwise. The newest key stays.
    private mutating func drainWindow(_ evicted: inout [UInt64]) {
        while !window.weight.fits(windowLimit), window.weight.count > 1, let candidate = window.last {
            unlink(candidate)
            admitOrEvict(candidate, &evicted)
        }
        while !weight.fits(limit), let key = evict() { evicted.append(key) }
    }

    private mutating func admitOrEvict(_ candidate: Int, _ released: inout [UInt64]) {
        let frequency = sketch.frequency(of: keys.hashes[candidate])
        let added = Weight(cost: keys.costs[candidate], count: 1)
        while !(weight + added).fits(limit), let victim = probation.last ?? protected.last {
            guard frequency > sketch.frequency(of: keys.hashes[victim]) else {
                released.append(keys.hashes[candidate])
                return keys.remove(candidate)
            }
            released.append(keys.hashes[victim])
            removeSlot(victim)
        }
        insert(candidate, into: .probation)
    }

    private var weight: Weight { window.weight + probation.weight + protected.weight }

    private mutating func demote() {
        while !protected.weight.fits(protectedLimit), let place = protected.last {
            unlink(place)
            insert(place, into: .probation)
        }
    }

    private mutating func insert(_ place: Int, into segment: Segment) {
        segments[place] = segment
        let cost = keys.costs[place]
        switch segment {
        case .window: links.prepend(place, cost: cost, to: &window)
        case .probation: links.prepend(place, cost: cost, to: &probation)
        case .protected: links.prepend(place, cost: cost, to: &protected)
        }
    }

    private mutating func unlink(_ place: Int) {
        let cost = keys.costs[place]
        switch segments[place] {
        case .window: links.remove(place, cost: cost, from: &window)
        case .probation: links.remove(place, cost: cost, from: &probation)
        case .protected: links.remove(place, cost: cost, from: &protected)
        }
    }

    private mutating func removeSlot(_ place: Int) {
        unlink(place)
        keys.remove(place)
    }
}
