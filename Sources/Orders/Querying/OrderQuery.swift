import Foundation
public import LadingFeeds

/// The search and sort of an order list.
public struct OrderQuery: Hashable, Sendable {
    /// The maximum number of significant characters of a search.
    public static let searchLimit = 200

    /// The search words, all of which must occur in the title or the address, ignoring case and diacritics.
    public let search: String
    /// The sort; nil preserves the order of the list.
    public let sort: OrderSort?
    /// The reference point of `OrderSort.nearest`; without it, that sort preserves the order of the list.
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

    /// Whether the query preserves the list unchanged.
    public var isDefault: Bool { words.isEmpty && sort == nil }

    /// Whether an order matches the search.
    public func matches(_ fields: OrderIndexedFields) -> Bool {
        words.allSatisfy { fields.text.contains($0) }
    }

    /// Whether one order sorts before another. A strict weak ordering; equal orders retain their relative positions.
    public func isOrderedBefore(_ one: OrderIndexedFields, _ other: OrderIndexedFields) -> Bool {
        switch sort {
        case nil: return false
        case .price: return arePricesInOrder(one, other, <)
        case .priceDescending: return arePricesInOrder(one, other, >)
        case .nearest:
            guard let nearVector else { return false }
            return one.distance(to: nearVector) < other.distance(to: nearVector)
        case .earliest:
            guard let time = one.deliveryTime else { return false }
            return other.deliveryTime.map { time < $0 } ?? true
        }
    }
}

extension OrderQuery {
    /// Compares by currency, then by price; orders without a price come last.
    private func arePricesInOrder(_ one: OrderIndexedFields, _ other: OrderIndexedFields, _ isOrdered: (Decimal, Decimal) -> Bool) -> Bool {
        guard let price = one.price else { return false }
        guard let otherPrice = other.price else { return true }
        return one.currency == other.currency ? isOrdered(price, otherPrice) : one.currency < other.currency
    }
}

extension OrderIndexedFields {
    /// Returns the squared chord distance on a unit sphere; infinity when the destination is unknown.
    fileprivate func distance(to vector: SIMD3<Double>) -> Double {
        guard point != nil else { return .infinity }
        let difference = unitVector - vector
        return (difference * difference).sum()
    }
}
