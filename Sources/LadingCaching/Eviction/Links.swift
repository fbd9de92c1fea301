/// The ends of a doubly linked list of places, and what its keys cost together.
struct Line: Sendable {
    fileprivate(set) var first: Int?
    fileprivate(set) var last: Int?
    fileprivate(set) var load = Load.none
}

/// The links of lists that share no place: each place stands in one line at most.
struct Links: Sendable {
    private static let none: Int32 = -1

    private struct Link {
        /// Towards the first of the line.
        var before: Int32
        var behind: Int32
    }

    private var links: [Link] = []

    /// The place before one in its line.
    func place(before place: Int) -> Int? {
        let before = links[place].before
        return before == Self.none ? nil : Int(before)
    }

    /// All places of a line, the last first.
    func places(of line: Line) -> [Int] {
        Array(
            sequence(state: line.last) { next in
                defer { next = next.flatMap(place(before:)) }
                return next
            })
    }

    mutating func pushFirst(_ place: Int, cost: Int, to line: inout Line) {
        while links.count <= place { links.append(Link(before: Self.none, behind: Self.none)) }
        links[place] = Link(before: Self.none, behind: line.first.map(Int32.init) ?? Self.none)
        if let first = line.first { links[first].before = Int32(place) } else { line.last = place }
        line.first = place
        line.load.cost += cost
        line.load.count += 1
    }

    mutating func remove(_ place: Int, cost: Int, from line: inout Line) {
        let link = links[place]
        if link.before != Self.none { links[Int(link.before)].behind = link.behind } else { line.first = index(link.behind) }
        if link.behind != Self.none { links[Int(link.behind)].before = link.before } else { line.last = index(link.before) }
        line.load.cost -= cost
        line.load.count -= 1
    }

    private func index(_ link: Int32) -> Int? { link == Self.none ? nil : Int(link) }
}
