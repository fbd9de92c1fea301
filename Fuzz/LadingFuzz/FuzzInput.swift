import Foundation
import HTTPTypes

/// The bytes that libFuzzer made, in the shapes that parsers want.
struct FuzzInput {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    var lines: [String] { text.components(separatedBy: "\n") }

    /// An address that documents are read from.
    static let address = URL(string: "http://example.org/a")!

    /// The lines of the form `Name: value`; others are left out.
    static func fields(_ lines: some Sequence<String>) -> HTTPFields {
        var fields = HTTPFields()
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else { continue }
            fields.append(HTTPField(name: name, value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
        }
        return fields
    }
}
