/// The part of a file that a reply holds, as `Content-Range` tells it (RFC 9110 §14.4).
enum ContentRange: Hashable {
    case bytes(Range<Int>, total: Int?)
    /// No part could be sent; the file is this long.
    case unsatisfied(total: Int)

    /// Reads `bytes 5-9/10`, `bytes 5-9/*` and `bytes */10`; nil for anything that does not add up.
    init?(_ text: String) {
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

    /// Digits and nothing else: no sign, no space.
    static func number(_ text: some StringProtocol) -> Int? {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
