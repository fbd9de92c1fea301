package import Foundation

/// An error of a whole file of orders, after which the rest of it is not read.
package enum OrderFileError: Error, Hashable, Sendable {
    /// The file system's reason.
    case unreadable(URL, String)
    case empty
    /// The file has no row besides its header.
    case noRows
    case notText(FileSignature)
    /// The text is neither UTF-8 nor UTF-16 from a position on.
    case encoding(TextPosition)
    case utf32
    /// The text contains U+0000, as binary files do.
    case nullCharacter(TextPosition)
    /// A quoted field has no end.
    ///
    /// - Parameter opening: The position of its quote.
    case unterminatedQuote(opening: TextPosition)
    /// A closing quote is followed by something other than a delimiter or an end of a line.
    ///
    /// - Parameter opening: The position of the opening quote.
    case textAfterQuote(TextPosition, opening: TextPosition)
    case tooManyFields(TextPosition, limit: Int)
    case fieldTooLong(TextPosition, limit: Int)
    case rowTooLong(line: Int, limit: Int)
    case tooManyRows(limit: Int)
    /// The text is a JSON array instead of JSON Lines.
    case jsonArray
    case missingColumns([OrderColumn], found: [String])
    /// Two columns have the same meaning.
    case duplicateColumn(OrderColumn, String, String)
}

extension OrderFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let file, let reason): "cannot read \(file.path(percentEncoded: false)): \(reason)"
        case .empty: "the file is empty"
        case .noRows: "the file contains no orders"
        case .notText(let signature): "the file is \(signature.text)"
        case .encoding(let position): "\(position): the file is not UTF-8 or UTF-16: save it as \"CSV UTF-8\""
        case .utf32: "the file is UTF-32: save it as \"CSV UTF-8\""
        case .nullCharacter(let position):
            "\(position): the file contains a zero character: it is binary or damaged; save it as \"CSV UTF-8\""
        case .unterminatedQuote(let opening): "\(opening): the quote that opens here is not closed: add a quote at the end of the value"
        case .textAfterQuote(let position, let opening):
            "\(position): text follows a closing quote, which was opened at \(opening): "
                + "end the value there, or write quotes inside of it twice"
        case .tooManyFields(let position, let limit): "\(position): a row has more than \(limit) columns: remove the others"
        case .fieldTooLong(let position, let limit): "\(position): a value has more than \(limit) bytes: shorten it"
        case .rowTooLong(let line, let limit):
            "line \(line): the row that begins here has more than \(limit) bytes: check that the file has one order per line"
        case .tooManyRows(let limit): "the file has more than \(limit) rows: split it"
        case .jsonArray: "the file is a JSON array: write one object per line, without brackets and commas around it (JSON Lines)"
        case .missingColumns(let columns, let found): Self.text(missing: columns, found)
        case .duplicateColumn(let column, let first, let second):
            "the columns \"\(first)\" and \"\(second)\" both contain \"\(column.name)\": remove or rename one"
        }
    }

    private static func text(missing columns: [OrderColumn], _ found: [String]) -> String {
        let missing = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let names = found.isEmpty ? "none" : found.map { "\"\($0)\"" }.joined(separator: ", ")
        return "the first row must name the columns; missing: \(missing); found: \(names)"
    }
}
