/// Decides which keys a cache keeps: those that the leading rule would, as soon as there is need.
///
/// A leading policy is told of every use. What it lets go of becomes an outsider, and outsiders are forgotten when room is needed, the first
/// first. Thus another rule can take the lead at any time: whatever it does not hold is an outsider then, nothing is lost at once, and what is kept becomes
/// what the rule would have kept by itself.
struct Residency: Sendable {
    /// The most keys that each rule of the contest holds. Of a larger cache a sample is played: keys of which the hash begins with zeros.
    static let contestLimit = 16_384

    private let limit: Load
    private let contestLimit: Int
    private var contest: EvictionContest
    /// The sample has one of 2^this keys.
    private var sampling = 0
    private var policy: any EvictionPolicy
    private var released: [UInt64] = []

    private var places = KeyPlaces()
    private var isOutsider: [Bool] = []
    private var links = Links()
    /// What the leading policy holds, by recency: a policy that takes over without having seen each use begins with this order.
    private var insiders = Line()
    private var outsiders = Line()

    /// What is kept.
    var load: Load { insiders.load + outsiders.load }
    /// The rule that leads.
    var rule: EvictionRule { contest.leader }

    init(limit: Load, contestLimit: Int = contestLimit, leader: EvictionRule = EvictionContest.first) {
        self.limit = limit
        self.contestLimit = contestLimit
        contest = EvictionContest(limit: limit, leader: leader)
        policy = contest.leadingPolicy
    }

    /// Tells of a use of a key, which is kept from now on.
    ///
    /// - Parameters:
    ///   - cost: At least 1, and at most the limit.
    ///   - forgotten: Where the keys are added that make room.
    mutating func use(_ hash: UInt64, cost: Int, forgotten: inout [UInt64]) {
        if let place = places.place(of: hash), places.costs[place] != cost { forget(place) }
        _ = policy.use(hash, cost: cost, released: &released)
        keep(hash, cost: cost)
        for key in released { letGo(key) }
        released.removeAll(keepingCapacity: true)
        while !load.fits(limit), let key = forgetOne() { forgotten.append(key) }
        play(hash, cost: cost)
    }

    /// Tells of a use of a key that is kept; nothing happens if it is not.
    mutating func use(_ hash: UInt64) {
        guard let place = places.place(of: hash) else { return }
        var forgotten: [UInt64] = []
        use(hash, cost: places.costs[place], forgotten: &forgotten)
    }

    /// Forgets a key.
    mutating func remove(_ hash: UInt64) {
        policy.remove(hash)
        contest.remove(hash)
        if let place = places.place(of: hash) { forget(place) }
    }

    /// Forgets every key, but not which rule does best.
    mutating func removeAll() {
        self = Residency(limit: limit, contestLimit: contestLimit, leader: rule)
    }

    /// Forgets the key that is worth least; nil when nothing is kept.
    mutating func forgetOne() -> UInt64? {
        if let place = outsiders.last {
            forget(place)
            return places.hashes[place]
        }
        while let hash = policy.release() {
            guard let place = places.place(of: hash) else { continue }
            forget(place)
            return hash
        }
        return nil
    }

    // MARK: Who is kept

    private mutating func keep(_ hash: UInt64, cost: Int) {
        if let place = places.place(of: hash) {
            stand(place, asOutsider: false)
        } else {
            let place = places.add(hash, cost: cost)
            if isOutsider.count == place { isOutsider.append(false) }
            isOutsider[place] = false
            links.pushFirst(place, cost: cost, to: &insiders)
        }
    }

    private mutating func letGo(_ hash: UInt64) {
        guard let place = places.place(of: hash), !isOutsider[place] else { return }
        stand(place, asOutsider: true)
    }

    private mutating func stand(_ place: Int, asOutsider: Bool) {
        leave(place)
        isOutsider[place] = asOutsider
        let cost = places.costs[place]
        if asOutsider {
            links.pushFirst(place, cost: cost, to: &outsiders)
        } else {
            links.pushFirst(place, cost: cost, to: &insiders)
        }
    }

    private mutating func leave(_ place: Int) {
        let cost = places.costs[place]
        if isOutsider[place] {
            links.remove(place, cost: cost, from: &outsiders)
        } else {
            links.remove(place, cost: cost, from: &insiders)
        }
    }

    private mutating func forget(_ place: Int) {
        leave(place)
        places.remove(place)
    }

    // MARK: Who leads

    private mutating func play(_ hash: UInt64, cost: Int) {
        if places.count >> sampling > contestLimit { resample() }
        guard isPlayed(hash, cost: cost) else { return }
        if contest.use(hash, cost: cost, among: places.count >> sampling) { follow() }
    }

    /// Begins the contest anew with a smaller sample, of which all rules know what is kept.
    private mutating func resample() {
        while places.count >> sampling > contestLimit { sampling += 1 }
        let part = Load(cost: max(1, limit.cost >> sampling), count: max(1, limit.count >> sampling))
        contest = EvictionContest(limit: part, leader: contest.leader)
        for place in placesInUse where isPlayed(places.hashes[place], cost: places.costs[place]) {
            contest.learn(places.hashes[place], cost: places.costs[place])
        }
    }

    private func isPlayed(_ hash: UInt64, cost: Int) -> Bool {
        (sampling == 0 || hash >> (64 - UInt64(sampling)) == 0) && cost <= limit.cost >> sampling
    }

    /// Has the new leader decide what is kept.
    private mutating func follow() {
        policy = sampling == 0 ? contest.leadingPolicy : newPolicy()
        for place in placesInUse where isOutsider[place] == policy.holds(places.hashes[place]) {
            stand(place, asOutsider: !isOutsider[place])
        }
    }

    /// A policy of the leading rule that begins with what is kept.
    private func newPolicy() -> any EvictionPolicy {
        var policy = contest.leader.policy(limit: limit)
        var released: [UInt64] = []
        for place in placesInUse { _ = policy.use(places.hashes[place], cost: places.costs[place], released: &released) }
        return policy
    }

    /// Those of outsiders, then those of insiders, the oldest first.
    private var placesInUse: [Int] { links.places(of: outsiders) + links.places(of: insiders) }
}
