/// The content codings that a client accepts, by its `Accept-Encoding` field (RFC 9110 §12.5.3).
///
/// ```swift
/// AcceptEncoding("gzip;q=0.5, identity;q=0").choice() // .gzip
/// AcceptEncoding("gzip;q=0").choice()                 // .identity
/// ```
package struct AcceptEncoding: Hashable, Sendable {
    /// The most members that are read of one field; further ones are ignored.
    static let memberLimit = 32
    /// The highest weight, in thousandths.
    private static let highestWeight = 1_000

    /// The weight of each coding that the field names, in thousandths; 0 stands for "not acceptable".
    private var weights: [Substring: Int] = [:]

    /// - Parameter field: nil when the request has no such field: then nothing but the plain content is sent.
    package init(_ field: String?) {
        for member in (field ?? "").lowercased().split(separator: ",").prefix(Self.memberLimit) {
            let parts = member.split(separator: ";", maxSplits: 1).map(\.trimmed)
            guard let name = parts.first, !name.isEmpty else { continue }
            // A member whose weight is malformed is ignored as a whole.
            guard let weight = parts.count > 1 ? Self.weight(parts[1]) : Self.highestWeight else { continue }
            weights[name == "x-gzip" ? "gzip" : name] = weight
        }
    }

    /// Whether the content may not be sent as it is.
    package var refusesIdentity: Bool { (weights["identity"] ?? weights["*"]) == 0 }

    /// Returns the coding that the client prefers; gzip where it has no preference, the plain content where it accepts neither.
    package func choice() -> ContentCoding {
        let gzip = weights["gzip"] ?? weights["*"] ?? 0
        guard gzip > 0 else { return .identity }
        // Only an explicit, higher weight prefers the plain content.
        return gzip >= weights["identity"] ?? 0 ? .gzip : .identity
    }

    /// Reads `q=0.8` in thousandths: at most 1, with at most three decimals (RFC 9110 §12.4.2); nil when it is malformed.
    private static func weight(_ parameter: Substring) -> Int? {
        let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
        guard parts.count == 2, parts[0] == "q" else { return nil }
        let digits = parts[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = digits.count > 1 ? digits[1] : ""
        guard let whole = digits.first, whole == "0" || whole == "1", decimals.count <= 3 else { return nil }
        guard decimals.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        let weight = Int(whole + decimals + String(repeating: "0", count: 3 - decimals.count)) ?? 0
        return weight <= highestWeight ? weight : nil
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
