/// An array with inline storage for one element, since most hold no more and then need no allocation.
struct TinyArray<Element> {
    fileprivate enum Storage {
        case empty
        case one(Element)
        /// The elements, once there have been several.
        case many([Element])
    }

    private var storage = Storage.empty

    init() {}

    init(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    init(_ element: Element) {
        storage = .one(element)
    }

    mutating func append(_ element: Element) {
        switch storage {
        case .empty: storage = .one(element)
        case .one(let first): storage = .many([first, element])
        case .many: mutateMany { $0.append(element) }
        }
    }

    mutating func removeLast() {
        switch storage {
        case .empty: preconditionFailure("cannot remove the last element of an empty array")
        case .one: storage = .empty
        case .many: mutateMany { $0.removeLast() }
        }
    }

    mutating func popLast() -> Element? {
        guard let last else { return nil }
        removeLast()
        return last
    }

    /// Removes an element in constant time by moving the last one to its position.
    mutating func swapRemove(at index: Int) {
        let last = self[endIndex - 1]
        removeLast()
        if index < endIndex { self[index] = last }
    }

    /// Removes and returns the first element, in linear time.
    mutating func popFirst() -> Element? {
        var previous = Storage.empty
        swap(&previous, &storage)
        switch consume previous {
        case .empty: return nil
        case .one(let first): return first
        case .many(var elements):
            guard !elements.isEmpty else { return nil }
            let first = elements.removeFirst()
            storage = .many(elements)
            return first
        }
    }

    /// Mutates the array in place, while it is uniquely referenced.
    private mutating func mutateMany(_ change: (inout [Element]) -> Void) {
        guard case .many(var elements) = storage else { return }
        storage = .empty
        change(&elements)
        storage = .many(elements)
    }
}

extension Array {
    /// Empties the array and retains its capacity. One at a time: there are rarely more than three, and `removeAll` costs as much as five.
    mutating func removeAllKeepingCapacity() {
        while popLast() != nil {}
    }
}

extension TinyArray: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }

    var endIndex: Int {
        switch storage {
        case .empty: 0
        case .one: 1
        case .many(let elements): elements.count
        }
    }

    subscript(index: Int) -> Element {
        get {
            switch storage {
            case .one(let element) where index == 0: element
            case .many(let elements): elements[index]
            case .empty, .one: preconditionFailure("index out of range")
            }
        }
        set {
            if case .many = storage { return mutateMany { $0[index] = newValue } }
            precondition(index < endIndex, "index out of range")
            storage = .one(newValue)
        }
    }
}

extension TinyArray: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension TinyArray: Equatable where Element: Equatable {
    static func == (left: TinyArray, right: TinyArray) -> Bool { left.elementsEqual(right) }
}

extension TinyArray: Sendable where Element: Sendable {}
extension TinyArray.Storage: Sendable where Element: Sendable {}
