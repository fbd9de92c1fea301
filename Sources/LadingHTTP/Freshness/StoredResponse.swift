import Foundation
import HTTPTypes

/// A reply that a cache keeps, without its body.
struct StoredResponse: Hashable {
    var status: Int
    /// Without those that hold for one connection only, and those that the reply says are not to be kept.
    var headers: HTTPFields
    /// When it was asked for.
    var requestTime: Date
    /// When its head arrived.
    var responseTime: Date
    /// Which requests it answers.
    var variant: Variant
    /// The part that is kept of what it represents; nil when it is kept whole.
    var part: Part?
    /// The length of the body that is kept, in bytes.
    var length = 0

    /// A part of a whole, as `Content-Range` tells it.
    struct Part: Hashable {
        var first: Int
        /// The length of the whole; nil when nobody knows.
        var total: Int?
    }

    /// What it tells a cache of this role.
    func control(for role: CacheRole) -> CacheControl { role.control(of: headers) }

    var date: Date { headers.date(.date, near: responseTime) ?? responseTime }

    /// The length of what it represents; nil when that is not known.
    var totalLength: Int? { part.map(\.total) ?? length }

    /// The bytes that are kept.
    var range: Range<Int> {
        let first = part?.first ?? 0
        return first..<first + length
    }

    var entityTag: EntityTag? { headers[.eTag].map { EntityTag($0) } }

    /// What it is validated by beside an entity tag.
    var lastModified: String? { headers[.lastModified] }

    /// Whether another body with the same entity tag is the same to the byte (RFC 9110 §8.8.1).
    var hasStrongEntityTag: Bool { entityTag?.isWeak == false }
}

/// An entity tag (RFC 9110 §8.8.3); one that breaks the rules is taken as it is.
struct EntityTag: Hashable {
    let text: String

    init(_ text: some StringProtocol) {
        self.text = String(text)
    }

    var isWeak: Bool { text.hasPrefix("W/") }

    /// Equal but for weakness, as `If-None-Match` compares (§13.1.2).
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// Equal and both strong, as `If-Range` compares (§13.1.5).
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && text == other.text }

    private var opaque: Substring { isWeak ? text.dropFirst(2) : text[...] }
}

extension HTTPFields {
    /// The moment that a field tells; nil when it is not there, or is no date. Of several the first counts.
    func date(_ name: HTTPField.Name, near reference: Date) -> Date? {
        self[values: name].first.flatMap { HTTPDate($0, near: reference)?.date }
    }
}
