/// The part of a file that `Range` selects (RFC 9110 §14.1.2).
enum ByteRange: Hashable {
    /// The whole file: no range was requested, or one that a server may ignore, such as multiple ranges.
    case whole
    case part(Range<Int>)
    /// The range contains no byte of the file.
    case unsatisfiable

    init(_ field: String?, of length: Int) {
        self = .whole
        guard let field, field.lowercased().hasPrefix("bytes=") else { return }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { $0.trimmingSpaces }
        guard ends.count == 2 else { return }
        let (first, last) = (Self.number(ends[0]), Self.number(ends[1]))
        switch (first, last) {
        case (let first?, let last?) where first <= last:
            self = first < length ? .part(first..<min(last + 1, length)) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            self = first < length ? .part(first..<length) : .unsatisfiable
        case (nil, let count?) where ends[0].isEmpty:
            self = count > 0 && length > 0 ? .part(max(0, length - count)..<length) : .unsatisfiable
        default: break
        }
    }

    /// Parses digits without a sign, at most 18 to prevent overflow.
    private static func number(_ text: Substring) -> Int? {
        !text.isEmpty && text.utf8.count <= 18 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
