/// Decides which keys a cache keeps: those that the leading rule would, as soon as there is need.
///
/// A leading policy is told of every use. What it lets go of becomes an outsider, and outsiders are forgotten when room is needed, the first
/// first. Thus another rule can take the lead at any time: whatever it does not hold is an outsider then, nothing is lost at once, and what is kept becomes
/// what the rule would have kept by itself.
struct AdaptiveEviction: Sendable {
    /// The most keys that each rule of the contest holds. Of a larger cache a sample is played: keys of which the hash begins with zeros.
    static let sampleLimit = 16_384

    private let limit: Weight
    private let sampleLimit: Int
    private var selector: PolicySelector
    /// The sample has one of 2^this keys.
    private var sampleShift = 0
    private var policy: any EvictionPolicy
    private var policyEvictions: [UInt64] = []

    private var keys = KeyTable()
    private var isCandidate: [Bool] = []
    private var links = Links()
    /// What the leading policy holds, by recency: a policy that takes over without having seen each use begins with this order.
    private var retained = LinkedList()
    private var candidates = LinkedList()

    /// What is kept.
    var weight: Weight { retained.weight + candidates.weight }
    /// The rule that leads.
    var algorithm: EvictionAlgorithm { selector.selectedAlgorithm }

    init(limit: Weight, sampleLimit: Int = sampleLimit, selected: EvictionAlgorithm = PolicySelector.initialAlgorithm) {
        self.limit = limit
        self.sampleLimit = sampleLimit
        selector = PolicySelector(limit: limit, selected: selected)
        policy = selector.selectedPolicy
    }

    /// Tells of a use of a key, which is kept from now on.
    ///
    /// - Parameters:
    ///   - cost: At least 1, and at most the limit.
    ///   - forgotten: Where the keys are added that make room.
    mutating func access(_ hash: UInt64, cost: Int, evicted: inout [UInt64]) {
        if let place = keys.slot(of: hash), keys.costs[place] != cost { removeSlot(place) }
        _ = policy.access(hash, cost: cost, evicted: &policyEvictions)
        retain(hash, cost: cost)
        for key in policyEvictions { markCandidate(key) }
        policyEvictions.removeAll(keepingCapacity: true)
        while !weight.fits(limit), let key = evict() { evicted.append(key) }
        updateSelection(hash, cost: cost)
    }

    /// Tells of a use of a key that is kept; nothing happens if it is not.
    mutating func access(_ hash: UInt64) {
        guard let place = keys.slot(of: hash) else { return }
        var evicted: [UInt64] = []
        access(hash, cost: keys.costs[place], evicted: &evicted)
    }

    /// Forgets a key.
    mutating func remove(_ hash: UInt64) {
        policy.remove(hash)
        selector.remove(hash)
        if let place = keys.slot(of: hash) { removeSlot(place) }
    }

    /// Forgets every key, but not which rule does best.
    mutating func removeAll() {
        self = AdaptiveEviction(limit: limit, sampleLimit: sampleLimit, selected: algorithm)
    }

    /// Forgets the key that is worth least; nil when nothing is kept.
    mutating func evict() -> UInt64? {
        if let place = candidates.last {
            removeSlot(place)
            return keys.hashes[place]
        }
        while let hash = policy.evict() {
            guard let place = keys.slot(of: hash) else { continue }
            removeSlot(place)
            return hash
        }
        return nil
    }

    // MARK: Who is kept

    private mutating func retain(_ hash: UInt64, cost: Int) {
        if let place = keys.slot(of: hash) {
            move(place, toCandidates: false)
        } else {
            let place = keys.add(hash, cost: cost)
            if isCandidate.count == place { isCandidate.append(false) }
            isCandidate[place] = false
            links.prepend(place, cost: cost, to: &retained)
        }
    }

    private mutating func markCandidate(_ hash: UInt64) {
        guard let place = keys.slot(of: hash), !isCandidate[place] else { return }
        move(place, toCandidates: true)
    }

    private mutating func move(_ place: Int, toCandidates: Bool) {
        unlink(place)
        isCandidate[place] = toCandidates
        let cost = keys.costs[place]
        if toCandidates {
            links.prepend(place, cost: cost, to: &candidates)
        } else {
            links.prepend(place, cost: cost, to: &retained)
        }
    }

    private mutating func unlink(_ place: Int) {
        let cost = keys.costs[place]
        if isCandidate[place] {
            links.remove(place, cost: cost, from: &candidates)
        } else {
            links.remove(place, cost: cost, from: &retained)
        }
    }

    private mutating func removeSlot(_ place: Int) {
        unlink(place)
        keys.remove(place)
    }

    // MARK: Who leads

    private mutating func updateSelection(_ hash: UInt64, cost: Int) {
        if keys.count >> sampleShift > sampleLimit { resample() }
        guard isSampled(hash, cost: cost) else { return }
        if selector.access(hash, cost: cost, keyCount: keys.count >> sampleShift) { applySelectedPolicy() }
    }

    /// Begins the contest anew with a smaller sample, of which all rules know what is kept.
    private mutating func resample() {
        while keys.count >> sampleShift > sampleLimit { sampleShift += 1 }
        let part = Weight(cost: max(1, limit.cost >> sampleShift), count: max(1, limit.count >> sampleShift))
        selector = PolicySelector(limit: part, selected: selector.selectedAlgorithm)
        for place in usedSlots where isSampled(keys.hashes[place], cost: keys.costs[place]) {
            selector.warmUp(keys.hashes[place], cost: keys.costs[place])
        }
    }

    private func isSampled(_ hash: UInt64, cost: Int) -> Bool {
        (sampleShift == 0 || hash >> (64 - UInt64(sampleShift)) == 0) && cost <= limit.cost >> sampleShift
    }

    /// Has the new leader decide what is kept.
    private mutating func applySelectedPolicy() {
        policy = sampleShift == 0 ? selector.selectedPolicy : makePolicy()
        for place in usedSlots where isCandidate[place] == policy.contains(keys.hashes[place]) {
            move(place, toCandidates: !isCandidate[place])
        }
    }

    /// A policy of the leading rule that begins with what is kept.
    private func makePolicy() -> any EvictionPolicy {
        var policy = selector.selectedAlgorithm.makePolicy(limit: limit)
        var evicted: [UInt64] = []
        for place in usedSlots { _ = policy.access(keys.hashes[place], cost: keys.costs[place], evicted: &evicted) }
        return policy
    }

    /// Those of outsiders, then those of insiders, the oldest first.
    private var usedSlots: [Int] { links.slots(of: candidates) + links.slots(of: retained) }
}
