import Foundation

/// An address split at its commas: the street first, then the town, the country and other parts.
struct PostalAddress: Equatable {
    /// The maximum number of parts after the street; further parts belong to the street.
    static let maximumTrailingParts = 3

    let street: String
    /// The parts from the town to the country.
    let trailingParts: [String]

    init(_ street: String, _ trailingParts: [String]) { (self.street, self.trailingParts) = (street, trailingParts) }

    init(_ text: String) {
        let parts = text.components(separatedBy: ", ")
        let count = min(parts.count - 1, Self.maximumTrailingParts)
        street = parts.dropLast(count).joined(separator: ", ")
        trailingParts = Array(parts.suffix(count))
    }

    /// Returns the number of trailing parts that all addresses share. Rows omit these; the page's script computes the same number.
    static func sharedTrailingPartCount(of addresses: [PostalAddress]) -> Int {
        guard let first = addresses.first else { return 0 }
        return addresses.dropFirst().reduce(first.trailingParts.count) { min($0, first.sharedTrailingPartCount(with: $1)) }
    }

    private func sharedTrailingPartCount(with other: PostalAddress) -> Int {
        zip(trailingParts.reversed(), other.trailingParts.reversed()).prefix { $0.withoutDigits == $1.withoutDigits }.count
    }
}

extension String {
    /// The text without digits, such as those of postal codes, which differ between streets.
    fileprivate var withoutDigits: String { filter { !("0"..."9").contains($0) } }
}
