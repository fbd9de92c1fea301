import Foundation
import HTTPFieldValues
import HTTPTypes

/// A response in a cache, without its body.
struct StoredResponse: Hashable {
    var status: Int
    /// The header fields, without those of a single connection and those that the response forbids to store.
    var headers: HTTPFields
    /// The time when the request was sent.
    var requestTime: Date
    /// The time when the head arrived.
    var responseTime: Date
    /// The requests that the response serves.
    var variant: Variant
    /// The stored part of the representation; nil when it is stored completely.
    var part: Part?
    /// The length of the stored body, in bytes.
    var length = 0
    /// Whether the stored body was decoded from a content coding, so that the entity tag is that of other bytes.
    var isDecoded = false

    /// A part of a representation, as in `Content-Range`.
    struct Part: Hashable {
        var first: Int
        /// The length of the complete representation; nil when it is unknown.
        var total: Int?
    }

    /// Returns the directives that apply to a cache of this role.
    func control(for role: CacheRole) -> CacheControl { role.control(of: headers) }

    var date: Date { headers.date(.date, near: responseTime) ?? responseTime }

    /// The length of the complete representation; nil when it is unknown.
    var totalLength: Int? { part.map(\.total) ?? length }

    /// The stored bytes of the representation.
    var range: Range<Int> {
        let first = part?.first ?? 0
        return first..<first + length
    }

    var entityTag: EntityTag? { headers[.eTag].map { EntityTag($0) } }

    /// The validator besides the entity tag.
    var lastModified: String? { headers[.lastModified] }

    /// Whether another body with the same entity tag has identical bytes (RFC 9110 §8.8.1).
    var hasStrongEntityTag: Bool { !isDecoded && entityTag?.isWeak == false }
}

extension HTTPFields {
    /// Returns the date in a field; nil for a missing or invalid one. The first of several counts.
    func date(_ name: HTTPField.Name, near reference: Date) -> Date? {
        self[values: name].first.flatMap { HTTPDate($0, near: reference)?.date }
    }
}
