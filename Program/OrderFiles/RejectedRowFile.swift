import JSONWriting

/// A file of the faulty rows of another file, to be mended and imported.
///
/// It has the format, the delimiter and the header of the other file, and a first column `problem`, which the reader ignores. The rows are
/// as they were.
package struct RejectedRowFile: Sendable {
    private let layout: OrderFileLayout

    package init(_ layout: OrderFileLayout) {
        self.layout = layout
    }

    /// The bytes before the first row. CSV begins with a byte order mark for Excel.
    package var header: [UInt8] {
        guard layout.format == .csv else { return [] }
        var csv = CSVWriter(delimiter: layout.delimiter)
        if layout.hasDelimiterLine {
            csv.raw([UInt8]("sep=".utf8) + [layout.delimiter.rawValue])
            csv.endRow()
        }
        csv.field(OrderColumn.problem.name)
        csv.raw(layout.header)
        csv.endRow()
        return CSVWriter.byteOrderMark + csv.bytes
    }

    /// Returns a row of the file.
    package func row(_ row: RejectedRow) -> [UInt8] {
        let problem = row.errors.map(\.description).joined(separator: "; ")
        switch layout.format {
        case .csv:
            var csv = CSVWriter(delimiter: layout.delimiter)
            csv.field(problem)
            csv.raw(row.source)
            csv.endRow()
            return csv.bytes
        case .jsonLines: return Self.line(problem, row.source) + [.lineFeed]
        }
    }

    /// Inserts the problem into an object. Another line becomes a member `line` with its text, as lines of JSON must be objects.
    private static func line(_ problem: String, _ source: [UInt8]) -> [UInt8] {
        let start = [UInt8]("{\"problem\":\(problem.jsonString(.unicode))".utf8)
        let comma = UInt8(ascii: ",")
        guard let brace = source.firstIndex(where: { !$0.isBlank }), source[brace] == UInt8(ascii: "{") else {
            let text = String(decoding: source, as: UTF8.self)
            return start + [comma] + [UInt8]("\"line\":\(text.jsonString(.unicode))}".utf8)
        }
        let members = source[(brace + 1)...]
        let isEmpty = members.first { !$0.isBlank } == UInt8(ascii: "}")
        return start + (isEmpty ? [] : [comma]) + members
    }
}
