/// Values in the order of their last use, each found by its key in constant time.
///
/// A doubly linked list whose nodes lie in one array; removed places are used again.
struct RecencyList<Key: Hashable, Value> {
    private struct Node {
        var key: Key
        var value: Value
        var cost: Int
        var previous: Int?
        var next: Int?
    }

    private var places: [Key: Int] = [:]
    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var first: Int?
    private var last: Int?

    private(set) var cost = 0
    var count: Int { places.count }

    /// The value of a key, moved to the front.
    mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        if place != first {
            unlink(place)
            linkFirst(place)
        }
        return nodes[place]?.value
    }

    /// Adds a value in front; its key must not be present.
    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        let node = Node(key: key, value: value, cost: cost)
        let place: Int
        if let reused = free.popLast() {
            place = reused
            nodes[place] = node
        } else {
            place = nodes.count
            nodes.append(node)
        }
        places[key] = place
        self.cost += cost
        linkFirst(place)
    }

    mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key) else { return }
        unlink(place)
        cost -= nodes[place]?.cost ?? 0
        nodes[place] = nil
        free.append(place)
    }

    /// Removes the value whose last use is longest ago.
    mutating func removeLast() {
        guard let last, let key = nodes[last]?.key else { return }
        remove(key)
    }

    private mutating func unlink(_ place: Int) {
        guard let node = nodes[place] else { return }
        if let previous = node.previous { nodes[previous]?.next = node.next } else { first = node.next }
        if let next = node.next { nodes[next]?.previous = node.previous } else { last = node.previous }
    }

    private mutating func linkFirst(_ place: Int) {
        nodes[place]?.previous = nil
        nodes[place]?.next = first
        if let first { nodes[first]?.previous = place } else { last = place }
        first = place
    }
}
