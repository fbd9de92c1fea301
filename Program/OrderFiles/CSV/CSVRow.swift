/// A row of a CSV file.
///
/// It shares the parser's buffer, so it should not outlive the call that it is passed to: a retained row makes the parser copy the buffer.
package struct CSVRow: Sendable {
    /// The number of the row from 1, as in a spreadsheet. Empty rows count.
    package let number: Int
    /// The line on which the row begins.
    package let line: Int
    let buffer: [UInt8]
    /// The range of the row in the buffer, without its line end.
    let range: Range<Int>
    let fields: [CSVField]
    let delimiter: CSVDelimiter

    package var fieldCount: Int { fields.count }

    /// Whether all fields are empty.
    package var isBlank: Bool { fields.allSatisfy { $0.start == $0.end && !$0.isQuoted } }

    /// Whether a field has quotes, which distinguish an empty text from a missing value.
    package func isQuoted(_ index: Int) -> Bool { fields[index].isQuoted }

    /// Calls a closure with the value of a field, without its quotes.
    package func withField<Result>(_ index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let field = fields[index]
        let bytes = buffer.span.extracting(range.lowerBound + field.start..<range.lowerBound + field.end)
        guard field.hasDoubledQuotes else { return body(bytes) }
        var value: [UInt8] = []
        value.reserveCapacity(bytes.count)
        var isSecondQuote = false
        for index in bytes.indices {
            isSecondQuote = bytes[index] == .quote && !isSecondQuote && index > 0 && bytes[index - 1] == .quote
            if !isSecondQuote { value.append(bytes[index]) }
        }
        return body(value.span)
    }

    /// Returns the value of a field as text.
    package func text(_ index: Int) -> String { withField(index) { String(copying: $0) } }

    /// Returns the bytes of the row from a field on, as they are in the file (in UTF-8), without its line end.
    func source(from index: Int = 0) -> [UInt8] {
        let start = fields[index].isQuoted ? fields[index].start - 1 : fields[index].start
        return Array(buffer[range.lowerBound + start..<range.upperBound])
    }
}

/// The range of a field in its row, without its quotes.
struct CSVField: Sendable {
    var start: Int
    var end: Int
    var isQuoted: Bool
    var hasDoubledQuotes: Bool
}

extension String {
    init(copying bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
