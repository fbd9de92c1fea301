/// The place of an element in a `SlotTable`, never mistaken for that of a later element.
///
/// - Parameter Subject: Keeps the ids of different tables apart.
struct SlotID<Subject>: Hashable, Sendable {
    fileprivate let index: UInt32
    fileprivate let generation: UInt32
}

/// An element of a `SlotTable`.
protocol SlotElement {
    /// Lets go of everything that it keeps alive; its place is free.
    mutating func vacate()
}

/// A table whose elements keep their place until they are removed.
///
/// Free places hold vacated elements, not nothing: to read one field of an optional struct, all of it would be copied.
struct SlotTable<Element: SlotElement, Subject> {
    typealias ID = SlotID<Subject>

    private var elements: [Element]
    /// Odd where there is an element.
    private var generations: [UInt32]
    private var free: [UInt32]
    /// Of a place that is made: above that of every place there ever was, so that no earlier id means it.
    fileprivate var firstGeneration: UInt32 = 1
    /// At so few elements the table has more places than it should.
    private var crowdGoneAt = -1
    /// The most places that a table may have whatever is in it.
    private static var keptPlaces: Int { 1_024 }

    init() { self.init(elements: [], generations: [], free: []) }

    fileprivate init(elements: [Element], generations: [UInt32], free: [UInt32]) {
        (self.elements, self.generations, self.free) = (elements, generations, free)
    }

    var count: Int { elements.count - free.count }

    /// How many elements there is room for: the cost of a copy.
    var capacity: Int { elements.count }

    mutating func insert(_ element: consuming Element) -> ID {
        guard let index = free.popLast() else {
            elements.append(element)
            generations.append(firstGeneration)
            if elements.count > Self.keptPlaces { crowdGoneAt = elements.count / 4 }
            return ID(index: UInt32(elements.count - 1), generation: firstGeneration)
        }
        elements[Int(index)] = element
        generations[Int(index)] &+= 1
        return ID(index: index, generation: generations[Int(index)])
    }

    /// Removes the element of an id that is known to be present.
    mutating func remove(_ id: ID) {
        precondition(contains(id), "no element has this id any more")
        elements[Int(id.index)].vacate()
        generations[Int(id.index)] &+= 1
        free.append(id.index)
        if count <= crowdGoneAt { removeLastPlaces() }
    }

    func contains(_ id: ID) -> Bool {
        Int(id.index) < generations.count && generations[Int(id.index)] == id.generation
    }

    /// Removes the free places at the end: who copies the table is not to copy what a crowd has left behind.
    private mutating func removeLastPlaces() {
        let end = (generations.lastIndex { $0 % 2 == 1 } ?? -1) + 1
        firstGeneration = max(firstGeneration, (generations[end...].max() ?? 0) + 1)
        elements.removeSubrange(end...)
        generations.removeSubrange(end...)
        free.removeAll { $0 >= end }
        crowdGoneAt = elements.count > Self.keptPlaces ? count / 2 : -1
    }

    /// The ids of all elements, in no particular order.
    var ids: [ID] {
        generations.indices.compactMap { index in
            generations[index] % 2 == 0 ? nil : ID(index: UInt32(index), generation: generations[index])
        }
    }

    /// The same table with other elements in it, under the same ids.
    func mapElements<Other: SlotElement>(_ transform: (Element) -> Other) -> SlotTable<Other, Subject> {
        var other = SlotTable<Other, Subject>(elements: elements.map(transform), generations: generations, free: free)
        other.firstGeneration = firstGeneration
        return other
    }

    /// The element of an id that is known to be present.
    subscript(id: ID) -> Element {
        @inline(__always) get {
            precondition(contains(id), "no element has this id any more")
            return elements[Int(id.index)]
        }
        @inline(__always) _modify {
            precondition(contains(id), "no element has this id any more")
            yield &elements[Int(id.index)]
        }
    }
}

extension SlotTable: Sendable where Element: Sendable {}
