import Foundation
import HTTPTypes

/// The bytes from libFuzzer, in the forms that parsers need.
struct FuzzInput {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    var lines: [String] { text.components(separatedBy: "\n") }

    /// The URL of the parsed documents.
    static let address = URL(string: "http://example.org/a")!

    /// Returns the fields in lines of the form `Name: value`; other lines are skipped.
    static func fields(_ lines: some Sequence<String>) -> HTTPFields {
        var fields = HTTPFields()
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else { continue }
            fields.append(HTTPField(name: name, value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
        }
        return fields
    }
}
