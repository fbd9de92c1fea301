/// The value of a `Content-Range` field (RFC 9110 §14.4).
package enum ContentRange: Hashable {
    case bytes(Range<Int>, total: Int?)
    /// The requested range does not exist; the file has this length.
    case unsatisfied(total: Int)

    /// Parses `bytes 5-9/10`, `bytes 5-9/*` and `bytes */10`; nil for malformed and inconsistent values.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let sides = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let total = Self.number(sides[1])
        if sides[0] == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last, last < .max,
            total != nil || sides[1] == "*", last < total ?? .max
        else { return nil }
        self = .bytes(first..<last + 1, total: total)
    }

    /// Parses a number of digits only, without sign or spaces.
    package static func number(_ text: some StringProtocol) -> Int? {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
