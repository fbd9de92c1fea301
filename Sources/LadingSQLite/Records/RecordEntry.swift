import Foundation
import GRDB
import LadingFeeds

/// A row as it is written: encoded and described before the database is locked.
struct RecordEntry: Sendable {
    let id: String
    let content: Data
    let description: RecordDescription

    init<Row: Recordable>(_ row: Row) throws {
        id = Row.text(of: row.id)
        content = try row.encoded()
        description = RecordDescription(row)
    }
}

/// What is derived from a row, in the form in which it is kept.
struct RecordDescription: Sendable {
    /// Folded; without zero bytes, which stand between two rows.
    let text: [UInt8]
    let location: GeographicPoint?
    /// In the order of the row's `sortKeys`; nil for those without a value.
    let keys: [RecordSortValue?]

    init<Row: Recordable>(_ row: Row) {
        let facts = row.facts
        text = FoldedText(facts.text).bytes.map { $0 == 0 ? UInt8(ascii: " ") : $0 }
        location = facts.location
        keys = Row.sortKeys.map { facts.keys[$0]?.folded }
    }

    /// Names the way in which rows are described; another text, another way.
    static func version<Row: Recordable>(of row: Row.Type) -> String {
        "\(Row.factsVersion):" + Row.sortKeys.map(\.name).joined(separator: ",")
    }
}

extension RecordSortValue {
    var databaseValue: DatabaseValue {
        switch self {
        case .number(let number): number.databaseValue
        case .text(let text): text.databaseValue
        }
    }

    init?(_ value: DatabaseValue) {
        switch value.storage {
        case .double(let number): self = .number(number)
        case .int64(let number): self = .number(Double(number))
        case .string(let text): self = .text(text)
        case .null, .blob: return nil
        }
    }
}
