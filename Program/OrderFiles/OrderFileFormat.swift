/// A format of files of orders.
package enum OrderFileFormat: String, CaseIterable, Sendable {
    case csv, jsonLines

    /// The media type (RFC 4180 §3; application/jsonl is not registered).
    package var mediaType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8; header=present"
        case .jsonLines: "application/jsonl"
        }
    }

    /// Creates the format of an extension of file names.
    package init?(fileExtension: String) {
        guard let format = Self.allCases.first(where: { $0.fileExtension == fileExtension.lowercased() }) else { return nil }
        self = format
    }

    /// The extension of file names, without a dot.
    package var fileExtension: String {
        switch self {
        case .csv: "csv"
        case .jsonLines: "jsonl"
        }
    }
}

/// The format of a file that is being read, with its header.
package struct OrderFileLayout: Hashable, Sendable {
    package let format: OrderFileFormat
    /// The delimiter of CSV.
    package let delimiter: CSVDelimiter
    /// Whether the first line names the delimiter.
    package let hasDelimiterLine: Bool
    /// The header as it is in the file (in UTF-8), without its line end and without a first column `problem`; empty for JSON Lines.
    package let header: [UInt8]

    package init(format: OrderFileFormat, delimiter: CSVDelimiter = .comma, hasDelimiterLine: Bool = false, header: [UInt8] = []) {
        self.format = format
        self.delimiter = delimiter
        self.hasDelimiterLine = hasDelimiterLine
        self.header = header
    }
}
