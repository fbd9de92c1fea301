/// The eviction decisions of a cache: those of the selected policy, applied when room is needed.
///
/// The selected policy receives every use. Keys that it evicts become candidates, and candidates are evicted when room is needed, oldest first. The
/// selection can therefore change at any time: keys that the new policy does not hold become candidates, nothing is lost at once, and the contents
/// converge to those of the new policy.
struct AdaptiveEviction: Sendable {
    /// The maximum number of keys that each simulated policy holds. Larger caches are sampled: keys whose hashes begin with zeros.
    static let sampleLimit = 16_384

    private let limit: Weight
    private let sampleLimit: Int
    private var selector: PolicySelector
    /// The base-2 logarithm of the sampling interval.
    private var sampleShift = 0
    private var policy: any EvictionPolicy
    private var policyEvictions: [UInt64] = []

    private var keys = KeyTable()
    private var isCandidate: [Bool] = []
    private var links = Links()
    /// The keys that the selected policy holds, by recency: a policy that is selected without having received every use starts with this order.
    private var retained = LinkedList()
    private var candidates = LinkedList()

    /// The weight of all keys.
    var weight: Weight { retained.weight + candidates.weight }
    /// The selected algorithm.
    var algorithm: EvictionAlgorithm { selector.selectedAlgorithm }

    init(limit: Weight, sampleLimit: Int = sampleLimit, selected: EvictionAlgorithm = PolicySelector.initialAlgorithm) {
        self.limit = limit
        self.sampleLimit = sampleLimit
        selector = PolicySelector(limit: limit, selected: selected)
        policy = selector.selectedPolicy
    }

    /// Records a use of a key, which is added if necessary.
    ///
    /// - Parameters:
    ///   - cost: The cost of the key, at least 1 and at most the limit.
    ///   - evicted: The array that evicted keys are appended to.
    mutating func access(_ hash: UInt64, cost: Int, evicted: inout [UInt64]) {
        if let slot = keys.slot(of: hash), keys.costs[slot] != cost { removeSlot(slot) }
        _ = policy.access(hash, cost: cost, evicted: &policyEvictions)
        retain(hash, cost: cost)
        for key in policyEvictions { markCandidate(key) }
        policyEvictions.removeAll(keepingCapacity: true)
        while !weight.fits(limit), let key = evict() { evicted.append(key) }
        updateSelection(hash, cost: cost)
    }

    /// Records a use of a key, if the cache contains it.
    mutating func access(_ hash: UInt64) {
        guard let place = keys.slot(of: hash) else { return }
        var evicted: [UInt64] = []
        access(hash, cost: keys.costs[place], evicted: &evicted)
    }

    /// Removes a key.
    mutating func remove(_ hash: UInt64) {
        policy.remove(hash)
        selector.remove(hash)
        if let place = keys.slot(of: hash) { removeSlot(place) }
    }

    /// Removes all keys, and retains the selection of the algorithm.
    mutating func removeAll() {
        self = AdaptiveEviction(limit: limit, sampleLimit: sampleLimit, selected: algorithm)
    }

    /// Evicts and returns the least valuable key; nil when there is none.
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

    // MARK: Retained keys and candidates

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

    // MARK: Policy selection

    private mutating func updateSelection(_ hash: UInt64, cost: Int) {
        if keys.count >> sampleShift > sampleLimit { reduceSample() }
        guard isSampled(hash, cost: cost) else { return }
        if selector.access(hash, cost: cost, keyCount: keys.count >> sampleShift) { applySelectedPolicy() }
    }

    /// Restarts the simulation with a smaller sample, warmed up with the current keys.
    private mutating func reduceSample() {
        sampleShift += 1
        // At least 1 of each: more than `sampleLimit` keys are held.
        let policyLimit = Weight(cost: limit.cost >> sampleShift, count: limit.count >> sampleShift)
        selector = PolicySelector(limit: policyLimit, selected: selector.selectedAlgorithm)
        for place in usedSlots where isSampled(keys.hashes[place], cost: keys.costs[place]) {
            selector.insert(keys.hashes[place], cost: keys.costs[place])
        }
    }

    private func isSampled(_ hash: UInt64, cost: Int) -> Bool {
        (sampleShift == 0 || hash >> (64 - UInt64(sampleShift)) == 0) && cost <= limit.cost >> sampleShift
    }

    /// Reclassifies all keys by the newly selected policy.
    private mutating func applySelectedPolicy() {
        policy = sampleShift == 0 ? selector.selectedPolicy : makePolicy()
        for place in usedSlots where isCandidate[place] == policy.contains(keys.hashes[place]) {
            move(place, toCandidates: !isCandidate[place])
        }
    }

    /// Returns a policy of the selected algorithm, warmed up with the current keys.
    private func makePolicy() -> any EvictionPolicy {
        var policy = selector.selectedAlgorithm.makePolicy(limit: limit)
        var evicted: [UInt64] = []
        for place in usedSlots { _ = policy.access(keys.hashes[place], cost: keys.costs[place], evicted: &evicted) }
        return policy
    }

    /// The slots of candidates, then those of retained keys, oldest first.
    private var usedSlots: [Int] { links.slots(of: candidates) + links.slots(of: retained) }
}
