import Foundation

/// An address in the parts that its commas make of it: the street first, then the town, the country and what else there is.
struct PostalAddress: Equatable {
    /// The most parts behind the street; more of them belong to the street.
    static let mostEndings = 3

    let street: String
    /// From the town to the country.
    let endings: [String]

    init(_ street: String, _ endings: [String]) { (self.street, self.endings) = (street, endings) }

    init(_ text: String) {
        let parts = text.components(separatedBy: ", ")
        let count = min(parts.count - 1, Self.mostEndings)
        street = parts.dropLast(count).joined(separator: ", ")
        endings = Array(parts.suffix(count))
    }

    /// How many of the last endings all addresses share. Rows leave them out; a page counts in the same way.
    static func sharedEndings(of addresses: [PostalAddress]) -> Int {
        guard let first = addresses.first else { return 0 }
        return addresses.dropFirst().reduce(first.endings.count) { min($0, first.sharedEndings(with: $1)) }
    }

    private func sharedEndings(with other: PostalAddress) -> Int {
        zip(endings.reversed(), other.endings.reversed()).prefix { $0.place == $1.place }.count
    }
}

extension String {
    /// Without the digits of a postal code, which differs from street to street.
    fileprivate var place: String { filter { !("0"..."9").contains($0) } }
}
