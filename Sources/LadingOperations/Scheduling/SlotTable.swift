/// The place of an element in a `SlotTable`, never mistaken for that of a later element.
///
/// - Parameter Subject: Keeps the ids of different tables apart.
struct SlotID<Tag>: Hashable, Sendable {
    fileprivate let index: UInt32
    fileprivate let generation: UInt32
}

/// An element of a `SlotTable`.
protocol SlotElement {
    /// Lets go of everything that it keeps alive; its place is free.
    mutating func clear()
}

/// A table whose elements keep their place until they are removed.
///
/// Free places hold vacated elements, not nothing: to read one field of an optional struct, all of it would be copied. All lies in one array, so
/// that a copy of the table costs one reference.
struct SlotTable<Element: SlotElement, Tag> {
    typealias ID = SlotID<Tag>

    fileprivate struct Slot {
        /// Odd where there is an element.
        var generation: UInt32
        /// The free place to be taken after this one.
        var nextFree: UInt32 = .max
        var element: Element
    }

    private var slots: [Slot] = []
    /// The free place to be taken next.
    private var firstFree = Self.none
    private(set) var count = 0
    /// Of a place that is made: above that of every place there ever was, so that no earlier id means it.
    private var firstGeneration: UInt32 = 1
    /// At so few elements the table has more places than it should.
    private var shrinkThreshold = -1
    /// The most places that a table may have whatever is in it.
    private static var retainedCapacity: Int { 1_024 }
    /// Stands for no place.
    private static var none: UInt32 { .max }

    /// How many elements there is room for: the cost of a copy.
    var capacity: Int { slots.count }

    mutating func insert(_ element: consuming Element) -> ID {
        count += 1
        guard firstFree != Self.none else {
            slots.append(Slot(generation: firstGeneration, element: element))
            if slots.count > Self.retainedCapacity { shrinkThreshold = slots.count / 4 }
            return ID(index: UInt32(slots.count - 1), generation: firstGeneration)
        }
        let index = firstFree
        firstFree = slots[Int(index)].nextFree
        slots[Int(index)].generation &+= 1
        slots[Int(index)].element = element
        return ID(index: index, generation: slots[Int(index)].generation)
    }

    /// Removes the element of an id that is known to be present.
    mutating func remove(_ id: ID) {
        precondition(contains(id), "no element has this id any more")
        slots[Int(id.index)].element.clear()
        slots[Int(id.index)].generation &+= 1
        slots[Int(id.index)].nextFree = firstFree
        firstFree = id.index
        count -= 1
        if count <= shrinkThreshold { shrink() }
    }

    func contains(_ id: ID) -> Bool {
        Int(id.index) < slots.count && slots[Int(id.index)].generation == id.generation
    }

    /// Removes the free places at the end: who copies the table is not to copy what a crowd has left behind.
    private mutating func shrink() {
        let end = (slots.lastIndex { $0.generation % 2 == 1 } ?? -1) + 1
        for place in slots[end...] { firstGeneration = max(firstGeneration, place.generation + 1) }
        slots.removeSubrange(end...)
        firstFree = Self.none
        for index in slots.indices where slots[index].generation % 2 == 0 {
            slots[index].nextFree = firstFree
            firstFree = UInt32(index)
        }
        shrinkThreshold = slots.count > Self.retainedCapacity ? count / 2 : -1
    }

    /// The ids of all elements, in no particular order.
    var ids: [ID] {
        slots.indices.compactMap { index in
            slots[index].generation % 2 == 0 ? nil : ID(index: UInt32(index), generation: slots[index].generation)
        }
    }

    /// The element of an id that is known to be present.
    subscript(id: ID) -> Element {
        @inline(__always) get {
            precondition(contains(id), "no element has this id any more")
            return slots[Int(id.index)].element
        }
        @inline(__always) _modify {
            precondition(contains(id), "no element has this id any more")
            yield &slots[Int(id.index)].element
        }
    }
}

extension SlotTable: Sendable where Element: Sendable {}
extension SlotTable.Slot: Sendable where Element: Sendable {}
