import Foundation

/// An address in the parts that its commas make of it: the street first, then the town, the country and what else there is.
struct PostalAddress: Equatable {
    /// The most parts behind the street; more of them belong to the street.
    static let maximumTrailingParts = 3

    let street: String
    /// From the town to the country.
    let trailingParts: [String]

    init(_ street: String, _ trailingParts: [String]) { (self.street, self.trailingParts) = (street, trailingParts) }

    init(_ text: String) {
        let parts = text.components(separatedBy: ", ")
        let count = min(parts.count - 1, Self.maximumTrailingParts)
        street = parts.dropLast(count).joined(separator: ", ")
        trailingParts = Array(parts.suffix(count))
    }

    /// How many of the last endings all addresses share. Rows leave them out; a page counts in the same way.
    static func sharedTrailingPartCount(of addresses: [PostalAddress]) -> Int {
        guard let first = addresses.first else { return 0 }
        return addresses.dropFirst().reduce(first.trailingParts.count) { min($0, first.sharedTrailingPartCount(with: $1)) }
    }

    private func sharedTrailingPartCount(with other: PostalAddress) -> Int {
        zip(trailingParts.reversed(), other.trailingParts.reversed()).prefix { $0.withoutDigits == $1.withoutDigits }.count
    }
}

extension String {
    /// Without the digits of a postal code, which differs from street to street.
    fileprivate var withoutDigits: String { filter { !("0"..."9").contains($0) } }
}
