public import Foundation

/// A value of any kind as a `RecordArchive` stores it: encoded, under a name.
public struct ArchivedValue: Recordable, Hashable {
    private static let newline = UInt8(ascii: "\n")

    /// Without line breaks.
    public let name: String
    public let content: Data

    public init(name: String, content: Data) {
        self.name = name.replacing("\n", with: " ")
        self.content = content
    }

    public var id: String { name }

    public var facts: RecordFacts { RecordFacts() }

    /// The name, a line break, and the content.
    public func encoded() -> Data { Data(name.utf8) + [Self.newline] + content }

    public init(encoded data: Data) throws {
        guard let end = data.firstIndex(of: Self.newline) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no name"))
        }
        name = String(decoding: data[..<end], as: UTF8.self)
        content = Data(data[(end + 1)...])
    }
}
