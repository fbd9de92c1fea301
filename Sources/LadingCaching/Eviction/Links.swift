/// The ends of a doubly linked list of slots, and its total weight.
struct LinkedList: Sendable {
    fileprivate(set) var first: Int?
    fileprivate(set) var last: Int?
    fileprivate(set) var weight = Weight.zero
}

/// The links of disjoint lists: each slot is in at most one list.
struct Links: Sendable {
    private static let none: Int32 = -1

    private struct Link {
        /// The link towards the first slot.
        var previous: Int32
        var next: Int32
    }

    private var links: [Link] = []

    /// Returns the slot before another one in its list.
    func slot(before slot: Int) -> Int? {
        let before = links[slot].previous
        return before == Self.none ? nil : Int(before)
    }

    /// Returns all slots of a list, last first.
    func slots(of list: LinkedList) -> [Int] {
        Array(
            sequence(state: list.last) { next in
                defer { next = next.flatMap(slot(before:)) }
                return next
            })
    }

    mutating func prepend(_ place: Int, cost: Int, to list: inout LinkedList) {
        while links.count <= place { links.append(Link(previous: Self.none, next: Self.none)) }
        links[place] = Link(previous: Self.none, next: list.first.map(Int32.init) ?? Self.none)
        if let first = list.first { links[first].previous = Int32(place) } else { list.last = place }
        list.first = place
        list.weight.cost += cost
        list.weight.count += 1
    }

    mutating func remove(_ place: Int, cost: Int, from list: inout LinkedList) {
        let link = links[place]
        if link.previous != Self.none { links[Int(link.previous)].next = link.next } else { list.first = index(link.next) }
        if link.next != Self.none { links[Int(link.next)].previous = link.previous } else { list.last = index(link.previous) }
        list.weight.cost -= cost
        list.weight.count -= 1
    }

    private func index(_ link: Int32) -> Int? { link == Self.none ? nil : Int(link) }
}
