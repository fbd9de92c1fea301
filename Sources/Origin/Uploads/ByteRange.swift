/// The part of a file that a request asks for in `Range` (RFC 9110 §14.1.2).
enum ByteRange: Hashable {
    /// All of it: nothing was asked for, or what a server may pass over, several parts among it.
    case whole
    case part(Range<Int>)
    /// No byte of the file lies in it.
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

    /// Digits alone, few enough to be added to.
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
