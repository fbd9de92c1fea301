/// The id of an element in a `SlotTable`, unique also among later elements of the same slot.
///
/// - Parameter Tag: A type that distinguishes the ids of different tables.
struct SlotID<Tag>: Hashable, Sendable {
    fileprivate let index: UInt32
    fileprivate let generation: UInt32
}

/// An element of a `SlotTable`.
protocol SlotElement {
    /// Releases all references of the element, whose slot becomes free.
    mutating func clear()
}

/// A generational table whose elements do not move until they are removed.
///
/// Free slots hold cleared elements instead of nil, because reading one field of an optional struct would copy all of it. A single array holds
/// everything, so that copying the table copies one reference.
struct SlotTable<Element: SlotElement, Tag> {
    typealias ID = SlotID<Tag>

    fileprivate struct Slot {
        /// Odd for an occupied slot.
        var generation: UInt32
        /// The next slot in the list of free slots.
        var nextFree: UInt32 = .max
        var element: Element
    }

    private var slots: [Slot] = []
    /// The first slot in the list of free slots.
    private var firstFree = Self.none
    private(set) var count = 0
    /// The generation of an appended slot: above that of every slot before, so that no earlier id refers to it.
    private var firstGeneration: UInt32 = 1
    /// The count at or below which the table shrinks.
    private var shrinkThreshold = -1
    /// The number of slots up to which the table does not shrink.
    private static var retainedCapacity: Int { 1_024 }
    /// The index that ends the list of free slots.
    private static var none: UInt32 { .max }

    /// The number of slots, which determines the cost of a copy.
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

    /// Removes an element, which must be present.
    mutating func remove(_ id: ID) {
        precondition(contains(id), "the element was removed")
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

    /// Removes free slots at the end, so that copies of the table are not sized by past peaks.
    private mutating func shrink() {
        let end = (slots.lastIndex { $0.generation % 2 == 1 } ?? -1) + 1
        for slot in slots[end...] { firstGeneration = max(firstGeneration, slot.generation + 1) }
        slots.removeSubrange(end...)
        firstFree = Self.none
        for index in slots.indices where slots[index].generation % 2 == 0 {
            slots[index].nextFree = firstFree
            firstFree = UInt32(index)
        }
        shrinkThreshold = slots.count > Self.retainedCapacity ? count / 2 : -1
    }

    /// The ids of all elements in slot order.
    var ids: [ID] {
        slots.indices.compactMap { index in
            slots[index].generation % 2 == 0 ? nil : ID(index: UInt32(index), generation: slots[index].generation)
        }
    }

    /// Accesses an element, which must be present.
    subscript(id: ID) -> Element {
        @inline(__always) get {
            precondition(contains(id), "the element was removed")
            return slots[Int(id.index)].element
        }
        @inline(__always) _modify {
            precondition(contains(id), "the element was removed")
            yield &slots[Int(id.index)].element
        }
    }
}

extension SlotTable: Sendable where Element: Sendable {}
extension SlotTable.Slot: Sendable where Element: Sendable {}
