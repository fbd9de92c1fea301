/// A line of a text.
struct TextLine: Sendable {
    /// From 1.
    let number: Int
    /// The buffer of the splitter, which the line should not outlive.
    let buffer: [UInt8]
    /// The range of the line in the buffer, without its end.
    let range: Range<Int>

    var isBlank: Bool { buffer[range].allSatisfy(\.isBlank) }
    var bytes: [UInt8] { Array(buffer[range]) }
}

/// An incremental splitter of UTF-8 into lines, which end with CR LF, LF or CR.
struct LineSplitter: Sendable {
    private let sizeLimit: Int
    private var buffer: [UInt8] = []
    private var lineStart = 0
    private var index = 0
    private var number = 1
    private var skipsLineFeed = false

    /// Creates a splitter.
    ///
    /// - Parameter sizeLimit: The largest size of a line in bytes, with the first byte of its end.
    init(sizeLimit: Int) {
        self.sizeLimit = sizeLimit
    }

    /// The position behind the bytes so far.
    var position: TextPosition { TextPosition(after: buffer.span.extracting(lineStart...), from: number) }

    /// The number of bytes that the splitter has allocated.
    var allocatedByteCount: Int { buffer.capacity }

    mutating func split(
        _ bytes: Span<UInt8>, receive: (TextLine) throws(OrderFileError) -> Void
    ) throws(OrderFileError) {
        buffer.append(contentsOf: bytes, from: 0)
        while index < buffer.count {
            if skipsLineFeed { skipLineFeed() }
            let stop = min(buffer.count, lineStart + sizeLimit)
            index = Self.endOfLine(buffer.span, from: index, to: stop)
            if index < stop {
                try endLine(receive)
            } else if stop < buffer.count {
                throw .rowTooLong(line: number, limit: sizeLimit)
            }
        }
        buffer.removeFirst(lineStart)
        index -= lineStart
        lineStart = 0
    }

    /// Ends the text: a last line needs no end.
    mutating func finish(receive: (TextLine) throws(OrderFileError) -> Void) throws(OrderFileError) {
        guard lineStart < buffer.count else { return }
        try receive(TextLine(number: number, buffer: buffer, range: lineStart..<buffer.count))
    }

    private mutating func skipLineFeed() {
        skipsLineFeed = false
        guard buffer[index] == .lineFeed else { return }
        index += 1
        lineStart = index
    }

    private mutating func endLine(_ receive: (TextLine) throws(OrderFileError) -> Void) throws(OrderFileError) {
        try receive(TextLine(number: number, buffer: buffer, range: lineStart..<index))
        skipsLineFeed = buffer[index] == .carriageReturn
        number += 1
        index += 1
        lineStart = index
    }

    private static func endOfLine(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        while index < end, bytes[index] != .lineFeed, bytes[index] != .carriageReturn { index += 1 }
        return index
    }
}
