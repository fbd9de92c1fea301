/// An incremental parser of CSV (RFC 4180) in UTF-8.
///
/// Lines end with CR LF, LF or CR. A quote inside of a field that does not begin with one is an ordinary character. The delimiter is
/// detected from the header, or from a first line `sep=;` as Excel writes it. Rows and errors of a file are the same for every split of its
/// bytes:
///
///     var parser = CSVParser()
///     try parser.parse(bytes.span) { row in print(row.number, row.text(0)) }
///     try parser.finish { row in print(row.number, row.text(0)) }
package struct CSVParser: Sendable {
    private enum State { case fieldStart, unquoted, quoted, quoteInQuoted }

    private let limits: CSVLimits
    private let explicitDelimiter: CSVDelimiter?
    private var detector: CSVDelimiterDetector? = CSVDelimiterDetector()
    /// The delimiter; nil until the header is complete.
    package private(set) var delimiter: CSVDelimiter?
    /// Whether the first line names the delimiter.
    package private(set) var hasDelimiterLine = false

    /// The current row as far as it is known, preceded by parsed rows and followed by bytes that are not parsed yet.
    private var buffer: [UInt8] = []
    private var rowStart = 0
    private var index = 0
    private var state = State.fieldStart
    private var field = CSVField(start: 0, end: 0, isQuoted: false, hasDoubledQuotes: false)
    private var fields: [CSVField] = []
    /// Whether a field of the row contains an end of a line.
    private var hasQuotedLineEnds = false
    private var skipsLineFeed = false
    private var line = 1
    private var number = 1

    /// Creates a parser.
    ///
    /// - Parameter delimiter: The delimiter; nil to detect it.
    package init(delimiter: CSVDelimiter? = nil, limits: CSVLimits = CSVLimits()) {
        explicitDelimiter = delimiter
        self.limits = limits
    }

    /// The position behind the bytes so far.
    package var position: TextPosition { position(of: buffer.count) }

    /// The number of bytes that the parser has allocated.
    var allocatedByteCount: Int { buffer.capacity + fields.capacity * MemoryLayout<CSVField>.stride }

    /// Parses further bytes of valid UTF-8, and calls a closure with each complete row.
    package mutating func parse(_ bytes: Span<UInt8>, receive: (CSVRow) throws(OrderFileError) -> Void) throws(OrderFileError) {
        buffer.append(contentsOf: bytes, from: 0)
        if delimiter == nil {
            guard detector?.scan(bytes) ?? true else { return }
            startRows()
        }
        try parseRows(receive)
        removeParsedRows()
    }

    /// Ends the file: a last row needs no line end.
    package mutating func finish(receive: (CSVRow) throws(OrderFileError) -> Void) throws(OrderFileError) {
        if delimiter == nil { startRows() }
        try parseRows(receive)
        switch state {
        case .quoted: throw .unterminatedQuote(opening: openingPosition)
        case .quoteInQuoted: try appendField(endingAt: index - 1)
        case .unquoted: try appendField(endingAt: index)
        case .fieldStart:
            guard !fields.isEmpty else { return }
            field = CSVField(start: index - rowStart, end: 0, isQuoted: false, hasDoubledQuotes: false)
            try appendField(endingAt: index)
        }
        try endRow(receive)
    }

    // MARK: - The beginning of the file

    private mutating func startRows() {
        var chosen = detector?.delimiter ?? .comma
        if let named = namedDelimiter {
            chosen = named
            hasDelimiterLine = true
            index = 5
            skipLineEnd()
            line = 2
        }
        delimiter = explicitDelimiter ?? chosen
        detector = nil
    }

    /// The delimiter of a first line such as `sep=;`.
    private var namedDelimiter: CSVDelimiter? {
        guard buffer.count >= 5, buffer[..<4].elementsEqual("sep=".utf8, by: { $0.lowercased == $1 }),
            buffer.count == 5 || buffer[5] == .lineFeed || buffer[5] == .carriageReturn
        else { return nil }
        return CSVDelimiter(rawValue: buffer[4])
    }

    private mutating func skipLineEnd() {
        if index < buffer.count {
            skipsLineFeed = buffer[index] == .carriageReturn
            index += 1
        }
        rowStart = index
    }

    // MARK: - Rows

    private mutating func parseRows(_ receive: (CSVRow) throws(OrderFileError) -> Void) throws(OrderFileError) {
        let delimiter = delimiter?.rawValue ?? CSVDelimiter.comma.rawValue
        while index < buffer.count {
            let stop = min(buffer.count, rowStart + limits.rowSize)
            guard index < stop else { throw rowTooLong }
            switch state {
            case .fieldStart: beginField()
            case .unquoted:
                index = Self.endOfUnquoted(buffer.span, from: index, to: stop, delimiter)
                if index < stop { try endField(at: index, delimiter, receive) }
            case .quoted:
                index = Self.nextQuoteOrLineEnd(buffer.span, from: index, to: stop)
                if index < stop { passQuoteOrLineEnd() }
            case .quoteInQuoted: try parseByteAfterQuote(delimiter, receive)
            }
        }
    }

    private mutating func beginField() {
        if skipsLineFeed {
            skipsLineFeed = false
            if buffer[index] == .lineFeed {
                index += 1
                rowStart = index
                return
            }
        }
        let isQuoted = buffer[index] == .quote
        if isQuoted { index += 1 }
        field = CSVField(start: index - rowStart, end: 0, isQuoted: isQuoted, hasDoubledQuotes: false)
        state = isQuoted ? .quoted : .unquoted
    }

    private static func endOfUnquoted(_ bytes: Span<UInt8>, from start: Int, to end: Int, _ delimiter: UInt8) -> Int {
        var index = start
        // The caller's range lies inside of the buffer.
        while index < end {
            let byte = bytes[unchecked: index]
            if byte == delimiter || byte == .lineFeed || byte == .carriageReturn { break }
            index += 1
        }
        return index
    }

    private static func nextQuoteOrLineEnd(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        while index < end {
            let byte = bytes[unchecked: index]
            if byte == .quote || byte == .lineFeed || byte == .carriageReturn { break }
            index += 1
        }
        return index
    }

    private mutating func passQuoteOrLineEnd() {
        if buffer[index] == .quote {
            state = .quoteInQuoted
        } else {
            hasQuotedLineEnds = true
        }
        index += 1
    }

    private mutating func parseByteAfterQuote(
        _ delimiter: UInt8, _ receive: (CSVRow) throws(OrderFileError) -> Void
    ) throws(OrderFileError) {
        switch buffer[index] {
        case .quote:
            field.hasDoubledQuotes = true
            index += 1
            state = .quoted
        case delimiter, .lineFeed, .carriageReturn: try endField(at: index - 1, delimiter, receive)
        default: throw .textAfterQuote(position(of: index), opening: openingPosition)
        }
    }

    /// Ends a field, and with a line end its row.
    private mutating func endField(
        at end: Int, _ delimiter: UInt8, _ receive: (CSVRow) throws(OrderFileError) -> Void
    ) throws(OrderFileError) {
        let byte = buffer[index]
        try appendField(endingAt: end)
        if byte == delimiter {
            index += 1
        } else {
            try endRow(receive)
            index += 1
            rowStart = index
            skipsLineFeed = byte == .carriageReturn
        }
    }

    private mutating func appendField(endingAt end: Int) throws(OrderFileError) {
        field.end = end - rowStart
        guard fields.count < limits.fieldCount else {
            throw .tooManyFields(position(of: rowStart + field.start), limit: limits.fieldCount)
        }
        guard field.end - field.start <= limits.fieldSize else {
            throw .fieldTooLong(position(of: rowStart + field.start), limit: limits.fieldSize)
        }
        fields.append(field)
        state = .fieldStart
    }

    private mutating func endRow(_ receive: (CSVRow) throws(OrderFileError) -> Void) throws(OrderFileError) {
        let range = rowStart..<index
        try receive(CSVRow(number: number, line: line, buffer: buffer, range: range, fields: fields, delimiter: delimiter ?? .comma))
        fields.removeAll(keepingCapacity: true)
        number += 1
        line = hasQuotedLineEnds ? position(of: index).line + 1 : line + 1
        hasQuotedLineEnds = false
    }

    private mutating func removeParsedRows() {
        buffer.removeFirst(rowStart)
        index -= rowStart
        rowStart = 0
    }

    // MARK: - Positions

    private var rowTooLong: OrderFileError {
        // A quote without an end includes the rest of the file in its row.
        state == .quoted ? .unterminatedQuote(opening: openingPosition) : .rowTooLong(line: line, limit: limits.rowSize)
    }

    private var openingPosition: TextPosition { position(of: rowStart + field.start - 1) }

    private func position(of index: Int) -> TextPosition {
        TextPosition(after: buffer.span.extracting(rowStart..<index), from: line)
    }
}
