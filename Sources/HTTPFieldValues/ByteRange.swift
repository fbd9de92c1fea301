import HTTPTypes

/// The single range of bytes that a request selects (RFC 9110 §14.1.2).
package enum ByteRange: Hashable {
    case from(Int, through: Int?)
    case suffix(Int)

    /// Parses a range; nil for several ranges, other units and invalid ones, which may be ignored in favour of the complete representation.
    package init?(_ text: String) {
        let words = text.split(separator: "=", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let ends = FieldList.trimmed(words[1]).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let count = ContentRange.number(ends[1]) else { return nil }
            self = .suffix(count)
            return
        }
        guard let first = ContentRange.number(ends[0]) else { return nil }
        if ends[1].isEmpty {
            self = .from(first, through: nil)
        } else {
            guard let last = ContentRange.number(ends[1]), last >= first, last < .max else { return nil }
            self = .from(first, through: last)
        }
    }

    /// Returns the selected bytes of a representation of this length; nil when there are none.
    package func resolved(in total: Int) -> Range<Int>? {
        switch self {
        case .from(let first, _) where first >= total: nil
        case .from(let first, let last): first..<min(total, last.map { $0 + 1 } ?? total)
        case .suffix(let count): count == 0 || total == 0 ? nil : max(0, total - count)..<total
        }
    }
}
