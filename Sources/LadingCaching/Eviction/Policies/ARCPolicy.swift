/// Holds keys used once and keys used again by recency, and learns how much room each kind is to have (ARC).
///
/// A key that returns soon after it was let go of tells that there was too little room for its kind (N. Megiddo, D. Modha, FAST 2003).
struct ARCPolicy: EvictionPolicy {
    private enum Standing: UInt8 {
        /// Used once lately.
        case once
        /// Used more than once lately.
        case often
        /// Not held; was let go of from those used once.
        case rememberedOnce
        /// Not held; was let go of from those used more than once.
        case rememberedOften
    }

    private let limit: Load
    /// The share of the limit that keys used once are to have.
    private var onceShare = 0.0
    private var places = KeyPlaces()
    private var standings: [Standing] = []
    private var links = Links()
    private var once = Line()
    private var often = Line()
    private var rememberedOnce = Line()
    private var rememberedOften = Line()

    init(limit: Load) {
        self.limit = limit
    }

    func holds(_ hash: UInt64) -> Bool { places.place(of: hash).map { isHeld($0) } ?? false }

    mutating func use(_ hash: UInt64, cost: Int, released: inout [UInt64]) -> Bool {
        let known = places.place(of: hash)
        if let known, isHeld(known), places.costs[known] == cost {
            leave(known)
            stand(known, .often)
            return true
        }
        var standing = Standing.once
        if let known {
            if !isHeld(known) {
                adapt(to: standings[known])
                standing = .often
            }
            forget(known)
        }
        while !(held + Load(cost: cost, count: 1)).fits(limit), let key = release() { released.append(key) }
        let place = places.add(hash, cost: cost)
        if standings.count == place { standings.append(standing) }
        stand(place, standing)
        trimMemory()
        return false
    }

    mutating func release() -> UInt64? {
        if let place = once.last, !once.load.fits(limit.share(onceShare)) || often.last == nil {
            leave(place)
            stand(place, .rememberedOnce)
            return places.hashes[place]
        }
        guard let place = often.last else { return nil }
        leave(place)
        stand(place, .rememberedOften)
        return places.hashes[place]
    }

    mutating func remove(_ hash: UInt64) {
        if let place = places.place(of: hash) { forget(place) }
    }

    private var held: Load { once.load + often.load }

    private func isHeld(_ place: Int) -> Bool { standings[place] == .once || standings[place] == .often }

    /// Gives more room to the kind of a key that has returned: the more, the fewer of its kind are remembered.
    private mutating func adapt(to standing: Standing) {
        let (more, less) = (Double(rememberedOnce.load.count), Double(rememberedOften.load.count))
        let step = 1 / Double(max(1, held.count))
        if standing == .rememberedOnce {
            onceShare = min(1, onceShare + step * max(1, less / more))
        } else {
            onceShare = max(0, onceShare - step * max(1, more / less))
        }
    }

    private mutating func trimMemory() {
        let most = Load(cost: limit.cost, count: min(limit.count, held.count))
        while !(once.load + rememberedOnce.load).fits(most), let oldest = rememberedOnce.last { forget(oldest) }
        while !(rememberedOnce.load + rememberedOften.load).fits(most), let oldest = rememberedOften.last { forget(oldest) }
    }

    private mutating func stand(_ place: Int, _ standing: Standing) {
        standings[place] = standing
        let cost = places.costs[place]
        switch standing {
        case .once: links.pushFirst(place, cost: cost, to: &once)
        case .often: links.pushFirst(place, cost: cost, to: &often)
        case .rememberedOnce: links.pushFirst(place, cost: cost, to: &rememberedOnce)
        case .rememberedOften: links.pushFirst(place, cost: cost, to: &rememberedOften)
        }
    }

    private mutating func leave(_ place: Int) {
        let cost = places.costs[place]
        switch standings[place] {
        case .once: links.remove(place, cost: cost, from: &once)
        case .often: links.remove(place, cost: cost, from: &often)
        case .rememberedOnce: links.remove(place, cost: cost, from: &rememberedOnce)
        case .rememberedOften: links.remove(place, cost: cost, from: &rememberedOften)
        }
    }

    private mutating func forget(_ place: Int) {
        leave(place)
        places.remove(place)
    }
}
