public import Foundation
public import LadingRecords

/// A named, encoded value of any type, as a `RecordArchive` stores it.
public struct ArchivedValue: PersistableRow, Hashable {
    private static let newline = UInt8(ascii: "\n")
    /// The control character that introduces an escape sequence.
    private static let escape: UInt8 = 0x1B
    private static let escapedEscape = [escape, UInt8(ascii: "e")]
    private static let escapedNewline = [escape, UInt8(ascii: "n")]

    package let name: String
    package let content: Data

    package init(name: String, content: Data) {
        self.name = name
        self.content = content
    }

    public var id: String { name }

    public var indexedFields: IndexedFields { IndexedFields() }

    /// Returns the name with escaped line breaks, a line break, and the content.
    public func encoded() -> Data {
        let line = Array(name.utf8).replacing([Self.escape], with: Self.escapedEscape)
            .replacing([Self.newline], with: Self.escapedNewline)
        return Data(line) + [Self.newline] + content
    }

    public init(encoded data: Data) throws {
        guard let end = data.firstIndex(of: Self.newline) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "the name is missing"))
        }
        let line = Array(data[..<end]).replacing(Self.escapedNewline, with: [Self.newline])
            .replacing(Self.escapedEscape, with: [Self.escape])
        name = String(decoding: line, as: UTF8.self)
        content = Data(data[(end + 1)...])
    }
}
