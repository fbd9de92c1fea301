/// The content codings that a client accepts, by its `Accept-Encoding` field (RFC 9110 §12.5.3).
///
/// ```swift
/// AcceptEncoding("gzip;q=0.5, identity;q=0").choice() // .gzip
/// AcceptEncoding("gzip;q=0").choice()                 // .identity
/// ```
package struct AcceptEncoding: Hashable, Sendable {
    /// The most members that are read of one field; further ones are ignored.
    static let memberLimit = 32

    /// The weight of each coding that the field names.
    private var weights: [Substring: QualityValue] = [:]

    /// - Parameter field: nil when the request has no such field: then nothing but the plain content is sent.
    package init(_ field: String?) {
        for member in (field ?? "").lowercased().split(separator: ",").prefix(Self.memberLimit) {
            let parts = member.split(separator: ";", maxSplits: 1).map(\.trimmed)
            guard let name = parts.first, !name.isEmpty else { continue }
            // A member whose weight is malformed is ignored as a whole.
            guard let weight = parts.count > 1 ? QualityValue(parts[1]) : .highest else { continue }
            weights[name == "x-gzip" ? "gzip" : name] = weight
        }
    }

    /// Whether the content may not be sent as it is.
    package var excludesIdentity: Bool { (weights["identity"] ?? weights["*"]) == .unacceptable }

    /// Returns the coding that the client prefers; gzip where it has no preference, the plain content where it accepts neither.
    package func preferredCoding() -> ContentCoding {
        let gzip: QualityValue = weights["gzip"] ?? weights["*"] ?? .unacceptable
        guard gzip > .unacceptable else { return .identity }
        // Only an explicit, higher weight prefers the plain content.
        return gzip >= weights["identity"] ?? .unacceptable ? .gzip : .identity
    }
}

extension Substring {
    /// Without the white space of HTTP around it.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
