import Foundation
import GRDB
import LadingRecords

/// A row to write, encoded before the database is locked.
struct EncodedRecord: Sendable {
    let id: String
    let content: Data
    let indexEntry: RecordIndexEntry

    init<Row: PersistableRow>(_ row: Row) throws {
        id = Row.storageKey(of: row.id)
        content = try row.encoded()
        indexEntry = RecordIndexEntry(row)
    }
}

/// The indexed fields of a row in their stored form.
struct RecordIndexEntry: Sendable {
    /// The folded text without zero bytes, which separate the rows of a chunk.
    let text: [UInt8]
    let location: GeographicPoint?
    /// The sort values in the order of the row's `sortKeys`; nil for missing ones.
    let sortValues: [RecordSortValue?]

    init<Row: PersistableRow>(_ row: Row) {
        let fields = row.indexedFields
        text = FoldedText(fields.text).bytes.map { $0 == 0 ? UInt8(ascii: " ") : $0 }
        location = fields.location
        sortValues = Row.sortKeys.map { fields.sortValues[$0]?.folded }
    }

    /// Returns a description of the indexed fields, whose change requires reindexing.
    static func indexVersion<Row: PersistableRow>(of row: Row.Type) -> String {
        "\(Row.indexVersion):" + Row.sortKeys.map(\.name).joined(separator: ",")
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
