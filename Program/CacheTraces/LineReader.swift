import Foundation

/// A reader of chunks of bytes into lines, which are keys.
struct LineReader {
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// The beginning of an incomplete line.
    private var partialLine: [UInt8] = []
    /// The number of keys.
    private(set) var count = 0

    /// Splits a chunk; returns false when a line is longer than the limit of keys.
    mutating func split(_ chunk: Data, _ body: ([UInt8]) -> Void) -> Bool {
        chunk.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while let end = rest.firstIndex(of: Self.newline) {
                guard partialLine.count + (end - rest.startIndex) <= CacheTrace.keyLimit else { return false }
                if partialLine.isEmpty {
                    emit(rest[..<end], body)
                } else {
                    partialLine += rest[..<end]
                    finish(body)
                }
                rest = rest[(end + 1)...]
            }
            partialLine += rest
            return partialLine.count <= CacheTrace.keyLimit
        }
    }

    /// Ends the incomplete line.
    mutating func finish(_ body: ([UInt8]) -> Void) {
        let line = partialLine
        partialLine = []
        emit(line, body)
    }

    private mutating func emit(_ line: some Collection<UInt8>, _ body: ([UInt8]) -> Void) {
        var key = Array(line)
        if key.last == Self.carriageReturn { key.removeLast() }
        guard !key.isEmpty else { return }
        count += 1
        body(key)
    }
}
