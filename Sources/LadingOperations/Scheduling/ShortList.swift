/// A list whose first element lies in place: most hold no more than one, and need no memory beside their owner's.
struct ShortList<Element> {
    private var first: Element?
    private var rest: [Element] = []

    init() {}

    init(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    init(_ element: Element) {
        first = element
    }

    mutating func append(_ element: Element) {
        if first == nil { first = element } else { rest.append(element) }
    }

    mutating func removeLast() {
        if rest.popLast() == nil { first = nil }
    }

    /// Removes an element in constant time, the last one taking its place.
    mutating func swapRemove(at index: Int) {
        guard let last = rest.popLast() else { return first = nil }
        guard index < endIndex else { return }
        self[index] = last
    }

    /// Empties the list, and gives the first element and then the others.
    mutating func takeFirst() -> Element? {
        defer { first = rest.isEmpty ? nil : rest.removeFirst() }
        return first
    }
}

extension ShortList: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { first == nil ? 0 : rest.count + 1 }

    subscript(index: Int) -> Element {
        get {
            // Proof: index 0 lies within the bounds only when there is a first element.
            index == 0 ? first! : rest[index - 1]
        }
        set {
            if index == 0 { first = newValue } else { rest[index - 1] = newValue }
        }
    }
}

extension ShortList: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: Element...) {
        first = elements.first
        if elements.count > 1 { rest = Array(elements[1...]) }
    }
}

extension ShortList: Sendable where Element: Sendable {}
extension ShortList: Equatable where Element: Equatable {}
