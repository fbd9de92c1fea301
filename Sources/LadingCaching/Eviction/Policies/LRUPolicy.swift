/// Lets go of what was used least recently (LRU).
struct LRUPolicy: EvictionPolicy {
    private let limit: Load
    private var places = KeyPlaces()
    private var links = Links()
    private var line = Line()

    init(limit: Load) {
        self.limit = limit
    }

    func holds(_ hash: UInt64) -> Bool { places.place(of: hash) != nil }

    mutating func use(_ hash: UInt64, cost: Int, released: inout [UInt64]) -> Bool {
        let known = places.place(of: hash)
        if let place = known, places.costs[place] == cost {
            links.remove(place, cost: cost, from: &line)
            links.pushFirst(place, cost: cost, to: &line)
            return true
        }
        if let known { forget(known) }
        links.pushFirst(places.add(hash, cost: cost), cost: cost, to: &line)
        while !line.load.fits(limit), let key = release() { released.append(key) }
        return false
    }

    mutating func release() -> UInt64? {
        guard let place = line.last else { return nil }
        forget(place)
        return places.hashes[place]
    }

    mutating func remove(_ hash: UInt64) {
        if let place = places.place(of: hash) { forget(place) }
    }

    private mutating func forget(_ place: Int) {
        links.remove(place, cost: places.costs[place], from: &line)
        places.remove(place)
    }
}
