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

    init() { self.init(elements: [], generations: [], free: []) }

    fileprivate init(elements: [Element], generations: [UInt32], free: [UInt32]) {
        (self.elements, self.generations, self.free) = (elements, generations, free)
    }

    var count: Int { elements.count - free.count }

    mutating func insert(_ element: Element) -> ID {
        guard let index = free.popLast() else {
            elements.append(element)
            generations.append(1)
            return ID(index: UInt32(elements.count - 1), generation: 1)
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
    }

    func contains(_ id: ID) -> Bool {
        generations[Int(id.index)] == id.generation
    }

    /// The ids of all elements, in no particular order.
    var ids: [ID] {
        generations.indices.compactMap { index in
            generations[index] % 2 == 0 ? nil : ID(index: UInt32(index), generation: generations[index])
        }
    }

    /// The same table with other elements in it, under the same ids.
    func mapElements<Other: SlotElement>(_ transform: (Element) -> Other) -> SlotTable<Other, Subject> {
        SlotTable<Other, Subject>(elements: elements.map(transform), generations: generations, free: free)
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
