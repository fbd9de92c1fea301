import OrderStorage

/// A reader of the orders of JSON Lines in UTF-8. Each line is an object as in the API.
struct JSONOrderReader: Sendable {
    private var splitter = LineSplitter(sizeLimit: CSVLimits().rowSize)
    private var names = MemberNames()

    var position: TextPosition { splitter.position }
    var allocatedByteCount: Int { splitter.allocatedByteCount }

    mutating func read(
        _ bytes: Span<UInt8>, _ context: inout RowContext, _ receive: (OrderFileEvent) -> Void
    ) throws(OrderFileError) {
        try Self.read(bytes, &splitter, &names, &context, receive)
    }

    mutating func finish(_ context: inout RowContext, _ receive: (OrderFileEvent) -> Void) throws(OrderFileError) {
        try Self.finish(&splitter, &names, &context, receive)
    }

    // The closures change the names while the splitter changes itself, so both are parameters.

    private static func read(
        _ bytes: Span<UInt8>, _ splitter: inout LineSplitter, _ names: inout MemberNames, _ context: inout RowContext,
        _ receive: (OrderFileEvent) -> Void
    ) throws(OrderFileError) {
        try splitter.split(bytes) { line throws(OrderFileError) in try read(line, &names, &context, receive) }
    }

    private static func finish(
        _ splitter: inout LineSplitter, _ names: inout MemberNames, _ context: inout RowContext, _ receive: (OrderFileEvent) -> Void
    ) throws(OrderFileError) {
        try splitter.finish { line throws(OrderFileError) in try read(line, &names, &context, receive) }
    }

    private static func read(
        _ line: TextLine, _ names: inout MemberNames, _ context: inout RowContext, _ receive: (OrderFileEvent) -> Void
    ) throws(OrderFileError) {
        guard line.number <= context.rowLimit else { throw .tooManyRows(limit: context.rowLimit) }
        guard !line.isBlank else { return }
        do throws(JSONProblem) {
            guard case .object(let members) = try JSONParser.parse(line.buffer, in: line.range) else { throw .notAnObject }
            var row = JSONRow(number: line.number)
            row.set(members, &names, &context)
            for name in row.unknownNames {
                if let notice = context.notice(ofUnknown: name) { receive(.notice(notice)) }
            }
            receive(context.event(of: &row.draft, number: line.number, line: line.number, name: \.path, source: { source(of: line) }))
        } catch {
            let source = source(of: line)
            let rowError = RowError(column: nil, value: RowError.truncated(source.span), problem: .json(error))
            receive(context.faulty(number: line.number, line: line.number, errors: [rowError], source: source))
        }
    }
}

extension JSONOrderReader {
    /// Returns the bytes of a line without a first member `problem`, with which lines of a file of faulty rows begin.
    private static func source(of line: TextLine) -> [UInt8] {
        let end = JSONParser.endOfFirstMember(OrderColumn.problem.name, of: line.buffer, in: line.range)
        return end.map { [UInt8(ascii: "{")] + line.buffer[$0..<line.range.upperBound] } ?? line.bytes
    }
}

/// A cache of the columns of members by their names.
struct MemberNames: Sendable {
    /// The largest number of cached names.
    private static let nameLimit = 1_024

    private var columns: [String: OrderColumn?] = [:]

    mutating func column(_ name: String) -> OrderColumn? {
        if let column = columns[name] { return column }
        let column = OrderColumn(header: name)
        if columns.count < Self.nameLimit { columns[name] = column }
        return column
    }
}
