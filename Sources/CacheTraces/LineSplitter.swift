import Foundation

/// Cuts bytes that come in pieces into the lines that are keys.
struct LineSplitter {
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// The beginning of a line of which the end has not come.
    private var beginning: [UInt8] = []
    /// How many keys there were.
    private(set) var count = 0

    /// Cuts a piece. Returns false when a line is longer than a key may be.
    mutating func split(_ piece: Data, _ use: (String) -> Void) -> Bool {
        piece.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while let end = rest.firstIndex(of: Self.newline) {
                guard beginning.count + (end - rest.startIndex) <= CacheTrace.keyLimit else { return false }
                if beginning.isEmpty {
                    tell(rest[..<end], use)
                } else {
                    beginning += rest[..<end]
                    finish(use)
                }
                rest = rest[(end + 1)...]
            }
            beginning += rest
            return beginning.count <= CacheTrace.keyLimit
        }
    }

    /// Takes what has come as a whole line.
    mutating func finish(_ use: (String) -> Void) {
        let line = beginning
        beginning = []
        tell(line, use)
    }

    private mutating func tell(_ line: some BidirectionalCollection<UInt8>, _ use: (String) -> Void) {
        let key =
            line.last == Self.carriageReturn ? String(decoding: line.dropLast(), as: UTF8.self) : String(decoding: line, as: UTF8.self)
        guard !key.isEmpty else { return }
        count += 1
        use(key)
    }
}
