/// The least-recently-used policy (LRU).
struct LRUPolicy: EvictionPolicy {
    private let limit: Weight
    private var keys = KeyTable()
    private var links = Links()
    private var list = LinkedList()

    init(limit: Weight) {
        self.limit = limit
    }

    func contains(_ hash: UInt64) -> Bool { keys.slot(of: hash) != nil }

    mutating func access(_ hash: UInt64, cost: Int, evicted: inout [UInt64]) -> Bool {
        let known = keys.slot(of: hash)
        if let slot = known, keys.costs[slot] == cost {
            links.remove(slot, cost: cost, from: &list)
            links.prepend(slot, cost: cost, to: &list)
            return true
        }
        if let known { removeSlot(known) }
        links.prepend(keys.add(hash, cost: cost), cost: cost, to: &list)
        while !list.weight.fits(limit), let key = evict() { evicted.append(key) }
        return false
    }

    mutating func evict() -> UInt64? {
        guard let place = list.last else { return nil }
        removeSlot(place)
        return keys.hashes[place]
    }

    mutating func remove(_ hash: UInt64) {
        if let place = keys.slot(of: hash) { removeSlot(place) }
    }

    private mutating func removeSlot(_ place: Int) {
        links.remove(place, cost: keys.costs[place], from: &list)
        keys.remove(place)
    }
}
