/// The content codings that a client accepts, parsed from `Accept-Encoding` (RFC 9110 §12.5.3).
///
/// ```swift
/// AcceptEncoding("gzip;q=0.5, identity;q=0").preferredCoding() // .gzip
/// AcceptEncoding("gzip;q=0").preferredCoding()                 // .identity
/// ```
package struct AcceptEncoding: Hashable, Sendable {
    /// The maximum number of parsed members; further ones are ignored.
    static let memberLimit = 32

    /// The weight of each named coding.
    private var weights: [Substring: QualityValue] = [:]

    /// Parses an `Accept-Encoding` field.
    ///
    /// - Parameter field: The field value; nil for a request without the field, which gets the plain content.
    package init(_ field: String?) {
        for member in (field ?? "").lowercased().split(separator: ",").prefix(Self.memberLimit) {
            let parts = member.split(separator: ";", maxSplits: 1).map(\.trimmed)
            guard let name = parts.first, !name.isEmpty else { continue }
            // A member with a malformed weight is ignored.
            guard let weight = parts.count > 1 ? QualityValue(parts[1]) : .highest else { continue }
            weights[name == "x-gzip" ? "gzip" : name] = weight
        }
    }

    /// Whether the client refuses plain content.
    package var excludesIdentity: Bool { (weights["identity"] ?? weights["*"]) == .unacceptable }

    /// Returns the coding that the client prefers: gzip on a tie, identity when neither is acceptable.
    package func preferredCoding() -> ContentCoding {
        let gzip: QualityValue = weights["gzip"] ?? weights["*"] ?? .unacceptable
        guard gzip > .unacceptable else { return .identity }
        // Only an explicit, higher weight selects the plain content.
        return gzip >= weights["identity"] ?? .unacceptable ? .gzip : .identity
    }
}

extension Substring {
    /// The text without surrounding HTTP white space.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
