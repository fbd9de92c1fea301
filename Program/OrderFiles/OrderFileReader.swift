package import Foundation

/// An incremental reader of orders in CSV or JSON Lines.
///
/// It receives a file in parts of any size, and reports valid rows, faulty rows and notices in their order. An error ends the file after
/// the rows before it have been reported, so an all-or-nothing import must not store rows before `finish` returns. Events and errors do
/// not depend on the split of the file into parts. Memory does not depend on the size of the file, except for the table of external ids.
///
///     var reader = OrderFileReader(options: .init(timeZone: zone))
///     for try await part in body { try reader.read(part.span) { event in preview.add(event) } }
///     try reader.finish { event in preview.add(event) }
package struct OrderFileReader: Sendable {
    package struct Options: Sendable {
        /// The format; nil to detect it.
        package var format: OrderFileFormat?
        /// The delimiter of CSV; nil to detect it.
        package var delimiter: CSVDelimiter?
        /// The time zone of times without an offset.
        package var timeZone: TimeZone
        /// The currency of rows without one (ISO 4217); nil if each row must have one.
        package var defaultCurrency: String?
        /// The maximum number of rows.
        package var rowLimit: Int

        package init(
            format: OrderFileFormat? = nil, delimiter: CSVDelimiter? = nil, timeZone: TimeZone, defaultCurrency: String? = nil,
            rowLimit: Int = OrderFileReader.rowLimit
        ) {
            self.format = format
            self.delimiter = delimiter
            self.timeZone = timeZone
            self.defaultCurrency = defaultCurrency
            self.rowLimit = rowLimit
        }
    }

    /// The maximum number of rows of a file, which bounds the table of external ids.
    package static let rowLimit = 1_000_000
    /// The maximum number of unknown columns that are reported.
    package static let noticeLimit = 50
    /// The number of bytes that are converted and parsed at a time.
    private static let partSize = 65_536
    /// The maximum number of blanks before the first character, by which the format is detected.
    private static let blankLimit = 4_096

    private let options: Options
    private var converter = UTF8Converter()
    /// The converted text of the current part.
    private var text: [UInt8] = []
    /// The text that was read before the format was known.
    private var unprocessed: [UInt8] = []
    private var csv: CSVOrderReader?
    private var json: JSONOrderReader?
    private var context: RowContext
    private var byteCount = 0

    package init(options: Options) {
        self.options = options
        context = RowContext(
            defaultCurrency: options.defaultCurrency, rowLimit: options.rowLimit, offsets: ZoneOffsets(options.timeZone))
    }

    package var progress: OrderFileProgress {
        OrderFileProgress(byteCount: byteCount, orderCount: context.orderCount, faultyCount: context.faultyCount)
    }

    /// The format and the header; nil until they are known.
    package var layout: OrderFileLayout? {
        json == nil ? csv?.layout : OrderFileLayout(format: .jsonLines)
    }

    /// The number of bytes in buffers and in the table of external ids.
    package var allocatedByteCount: Int {
        text.capacity + unprocessed.capacity + (csv?.allocatedByteCount ?? 0) + (json?.allocatedByteCount ?? 0)
            + context.externalIDs.allocatedByteCount
    }

    /// Reads the next part of the file.
    ///
    /// - Parameter receive: Called with each event.
    package mutating func read(_ bytes: Span<UInt8>, receive: (OrderFileEvent) -> Void) throws(OrderFileError) {
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.partSize, bytes.count)
            let part = bytes.extracting(start..<end)
            byteCount += part.count
            try readText(receive) { converter, text throws(UTF8Converter.Failure) in try converter.convert(part, into: &text) }
            start = end
        }
    }

    /// Ends the file.
    package mutating func finish(receive: (OrderFileEvent) -> Void) throws(OrderFileError) {
        try readText(receive) { converter, text throws(UTF8Converter.Failure) in try converter.finish(into: &text) }
        try detectFormat(isAtEnd: true, receive)
        try csv?.finish(&context, receive)
        try json?.finish(&context, receive)
        guard layout != nil else { throw .empty }
        guard context.orderCount + context.faultyCount > 0 else { throw .noRows }
    }

    /// Reads the text that a conversion appends to `text`; if the conversion fails, the text before the error.
    private mutating func readText(
        _ receive: (OrderFileEvent) -> Void,
        from convert: (inout UTF8Converter, inout [UInt8]) throws(UTF8Converter.Failure) -> Void
    ) throws(OrderFileError) {
        text.removeAll(keepingCapacity: true)
        do throws(UTF8Converter.Failure) {
            try convert(&converter, &text)
        } catch {
            try parseText(receive)
            try detectFormat(isAtEnd: true, receive)
            throw self.error(error)
        }
        try parseText(receive)
    }

    private func error(_ failure: UTF8Converter.Failure) -> OrderFileError {
        let position = csv?.position ?? json?.position ?? TextPosition(after: unprocessed.span, from: 1)
        return switch failure {
        case .invalid: .encoding(position)
        case .nullCharacter: .nullCharacter(position)
        case .utf32: .utf32
        case .notText(let signature): .notText(signature)
        }
    }

    private mutating func parseText(_ receive: (OrderFileEvent) -> Void) throws(OrderFileError) {
        let text = text
        if csv != nil || json != nil {
            try csv?.read(text.span, &context, receive)
            try json?.read(text.span, &context, receive)
        } else {
            unprocessed += text
            try detectFormat(isAtEnd: false, receive)
        }
    }

    // MARK: - Format

    /// Creates the reader of the format once that is known, and reads the text before.
    private mutating func detectFormat(isAtEnd: Bool, _ receive: (OrderFileEvent) -> Void) throws(OrderFileError) {
        guard csv == nil, json == nil, let format = try detectedFormat(isAtEnd: isAtEnd) else { return }
        let beginning = unprocessed
        unprocessed = []
        switch format {
        case .jsonLines:
            json = JSONOrderReader()
            try json?.read(beginning.span, &context, receive)
        case .csv:
            csv = CSVOrderReader(delimiter: options.delimiter)
            try csv?.read(beginning.span, &context, receive)
        }
    }

    /// Returns the format of the options, or that of the first character that is not blank; nil before that character.
    private func detectedFormat(isAtEnd: Bool) throws(OrderFileError) -> OrderFileFormat? {
        guard let first = unprocessed.prefix(Self.blankLimit).first(where: { !$0.isBlank }) else {
            // Too many blanks are left to the reader of CSV. A file of blanks alone is empty.
            return unprocessed.count >= Self.blankLimit && !isAtEnd ? options.format ?? .csv : nil
        }
        if options.format != .csv, first == UInt8(ascii: "[") { throw .jsonArray }
        return options.format ?? (first == UInt8(ascii: "{") ? .jsonLines : .csv)
    }
}
