/// Admits a key only if it was used more often lately than the one it would drive out (W-TinyLFU).
///
/// New keys pass through a small window by recency; behind it is a segmented LRU, whose newcomers are on probation (G. Einziger, R. Friedman,
/// B. Manes, ACM TOS 2017).
struct TinyLFUPolicy: EvictionPolicy {
    private static let windowShare = 0.01
    private static let protectedShare = 0.8
    /// Beyond so many keys the sketch grows with them.
    private static let sketchedKeys = 1_024

    private enum Standing: UInt8 {
        case window
        case probation
        case protected
    }

    private let limit: Load
    private let windowLimit: Load
    private let protectedLimit: Load
    private var sketch: FrequencySketch
    private var places = KeyPlaces()
    private var standings: [Standing] = []
    private var links = Links()
    private var window = Line()
    private var probation = Line()
    private var protected = Line()

    init(limit: Load) {
        self.limit = limit
        windowLimit = limit.share(Self.windowShare)
        sketch = FrequencySketch(capacity: min(limit.count, limit.cost, Self.sketchedKeys))
        protectedLimit = limit.remainder(windowLimit).share(Self.protectedShare)
    }

    func holds(_ hash: UInt64) -> Bool { places.place(of: hash) != nil }

    mutating func use(_ hash: UInt64, cost: Int, released: inout [UInt64]) -> Bool {
        sketch.count(hash)
        let known = places.place(of: hash)
        if let place = known, places.costs[place] == cost {
            let standing = standings[place]
            leave(place)
            stand(place, standing == .window ? .window : .protected)
            demote()
            return true
        }
        if let known { forget(known) }
        let place = places.add(hash, cost: cost)
        if standings.count == place { standings.append(.window) }
        stand(place, .window)
        admit(&released)
        if places.count > sketch.capacity { sketch.grow() }
        return false
    }

    mutating func release() -> UInt64? {
        guard let place = probation.last ?? protected.last ?? window.last else { return nil }
        forget(place)
        return places.hashes[place]
    }

    mutating func remove(_ hash: UInt64) {
        if let place = places.place(of: hash) { forget(place) }
    }

    /// Moves what the window has no room for on probation, where it has to be worth more than what is there. The newest key stays.
    private mutating func admit(_ released: inout [UInt64]) {
        while !window.load.fits(windowLimit), window.load.count > 1, let candidate = window.last {
            leave(candidate)
            compete(candidate, &released)
        }
        while !load.fits(limit), let key = release() { released.append(key) }
    }

    private mutating func compete(_ candidate: Int, _ released: inout [UInt64]) {
        let frequency = sketch.estimate(places.hashes[candidate])
        let added = Load(cost: places.costs[candidate], count: 1)
        while !(load + added).fits(limit), let victim = probation.last ?? protected.last {
            guard frequency > sketch.estimate(places.hashes[victim]) else {
                released.append(places.hashes[candidate])
                return places.remove(candidate)
            }
            released.append(places.hashes[victim])
            forget(victim)
        }
        stand(candidate, .probation)
    }

    private var load: Load { window.load + probation.load + protected.load }

    private mutating func demote() {
        while !protected.load.fits(protectedLimit), let place = protected.last {
            leave(place)
            stand(place, .probation)
        }
    }

    private mutating func stand(_ place: Int, _ standing: Standing) {
        standings[place] = standing
        let cost = places.costs[place]
        switch standing {
        case .window: links.pushFirst(place, cost: cost, to: &window)
        case .probation: links.pushFirst(place, cost: cost, to: &probation)
        case .protected: links.pushFirst(place, cost: cost, to: &protected)
        }
    }

    private mutating func leave(_ place: Int) {
        let cost = places.costs[place]
        switch standings[place] {
        case .window: links.remove(place, cost: cost, from: &window)
        case .probation: links.remove(place, cost: cost, from: &probation)
        case .protected: links.remove(place, cost: cost, from: &protected)
        }
    }

    private mutating func forget(_ place: Int) {
        leave(place)
        places.remove(place)
    }
}
