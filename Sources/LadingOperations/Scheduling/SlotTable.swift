/// The place of an element in a `SlotTable`, never mistaken for that of a later element.
///
/// - Parameter Subject: Keeps the ids of different tables apart.
struct SlotID<Subject>: Hashable, Sendable {
    fileprivate let index: UInt32
    fileprivate let generation: UInt32
}

/// A table whose elements keep their place until they are removed.
struct SlotTable<Element, Subject> {
    typealias ID = SlotID<Subject>

    fileprivate struct Slot {
        var generation: UInt32 = 0
        var element: Element?
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    var count: Int { slots.count - free.count }

    mutating func insert(_ element: Element) -> ID {
        guard let index = free.popLast() else {
            slots.append(Slot(element: element))
            return ID(index: UInt32(slots.count - 1), generation: 0)
        }
        slots[Int(index)].element = element
        return ID(index: index, generation: slots[Int(index)].generation)
    }

    @discardableResult
    mutating func remove(_ id: ID) -> Element? {
        guard slots[Int(id.index)].generation == id.generation, let element = slots[Int(id.index)].element.take() else { return nil }
        slots[Int(id.index)].generation &+= 1
        free.append(id.index)
        return element
    }

    func contains(_ id: ID) -> Bool {
        slots[Int(id.index)].generation == id.generation && slots[Int(id.index)].element != nil
    }

    /// The ids of all elements, in no particular order.
    var ids: [ID] {
        slots.indices.compactMap { index in
            slots[index].element == nil ? nil : ID(index: UInt32(index), generation: slots[index].generation)
        }
    }

    /// The same table with other elements in it, under the same ids.
    func mapElements<Other>(_ transform: (Element) -> Other) -> SlotTable<Other, Subject> {
        var other = SlotTable<Other, Subject>()
        other.slots = slots.map { .init(generation: $0.generation, element: $0.element.map(transform)) }
        other.free = free
        return other
    }

    /// The element of an id that is known to be present.
    subscript(id: ID) -> Element {
        _read {
            precondition(contains(id), "no element has this id any more")
            yield slots[Int(id.index)].element!
        }
        _modify {
            precondition(contains(id), "no element has this id any more")
            yield &slots[Int(id.index)].element!
        }
    }
}

extension SlotTable: Sendable where Element: Sendable {}
extension SlotTable.Slot: Sendable where Element: Sendable {}
