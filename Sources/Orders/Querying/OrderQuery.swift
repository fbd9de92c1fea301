import Foundation
public import LadingFeeds

/// Which orders a list shows, and in which order.
public struct OrderQuery: Hashable, Sendable {
    /// The most characters of a search that count.
    public static let searchLimit = 200

    /// Words, each of which must occur in the title or the address; case and diacritics do not matter.
    public let search: String
    /// nil keeps the order of the list.
    public let sort: OrderSort?
    /// What `OrderSort.nearest` is near to; without it, that sort keeps the order of the list.
    public let near: GeographicPoint?

    private let words: [[UInt8]]
    private let nearVector: SIMD3<Double>?

    public init(search: String = "", sort: OrderSort? = nil, near: GeographicPoint? = nil) {
        self.search = search
        self.sort = sort
        self.near = near
        nearVector = near?.unitVector
        words = FoldedText(String(search.prefix(Self.searchLimit))).bytes.split(whereSeparator: \.isXMLWhitespace).map(Array.init)
    }

    /// Whether it shows the list as it is.
    public var isDefault: Bool { words.isEmpty && sort == nil }

    /// Whether an order is shown.
    public func matches(_ fields: OrderIndexedFields) -> Bool {
        words.allSatisfy { fields.text.contains($0) }
    }

    /// Whether one order comes before another. A strict weak ordering; orders that are equal in it keep their places.
    public func precedes(_ one: OrderIndexedFields, _ other: OrderIndexedFields) -> Bool {
        switch sort {
        case nil: return false
        case .price: return precedes(one, other, <)
        case .priceDescending: return precedes(one, other, >)
        case .nearest:
            guard let nearVector else { return false }
            return one.distance(to: nearVector) < other.distance(to: nearVector)
        case .soonest:
            guard let time = one.deliveryTime else { return false }
            return other.deliveryTime.map { time < $0 } ?? true
        }
    }
}

extension OrderQuery {
    /// By currency, then by price; orders without a price come last.
    private func precedes(_ one: OrderIndexedFields, _ other: OrderIndexedFields, _ areInOrder: (Decimal, Decimal) -> Bool) -> Bool {
        guard let price = one.price else { return false }
        guard let otherPrice = other.price else { return true }
        return one.currency == other.currency ? areInOrder(price, otherPrice) : one.currency < other.currency
    }
}

extension OrderIndexedFields {
    /// The square of the straight distance through a globe of radius 1; without end when it is not known where the order goes.
    fileprivate func distance(to vector: SIMD3<Double>) -> Double {
        guard point != nil else { return .infinity }
        let difference = unitVector - vector
        return (difference * difference).sum()
    }
}
