/// The error that a store describes in the XML body of a response.
///
/// `<Error><Code>NoSuchKey</Code><Message>…</Message>…</Error>`; the text of an element has no elements in it.
///
/// Source: Amazon S3, API Reference, "Error responses".
struct ErrorDocument: Hashable, Sendable {
    /// The maximum number of bytes of a body that are read.
    static let sizeLimit = 64 << 10
    /// The maximum length of a text, in characters; longer ones are cut.
    static let textLimit = 300

    let code: String
    let message: String?
    /// The region of the bucket, in errors of a wrong region.
    let region: String?
    /// The host that serves the bucket, in redirects.
    let endpoint: String?

    /// Parses the beginning of a body; nil without an error and its code.
    init?(_ body: [UInt8]) {
        let bytes = body.prefix(Self.sizeLimit)
        guard let root = bytes.firstRange(of: Array("<Error".utf8)) else { return nil }
        let content = bytes[root.upperBound...]
        guard let code = Self.text(of: "Code", in: content), code.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: ".") }) else {
            return nil
        }
        self.code = code
        message = Self.text(of: "Message", in: content)
        region = Self.text(of: "Region", in: content)
        endpoint = Self.text(of: "Endpoint", in: content)
    }

    /// Returns the text of the first element with a name in one line; nil if it is missing or empty.
    private static func text(of name: String, in content: ArraySlice<UInt8>) -> String? {
        guard let start = content.firstRange(of: Array("<\(name)>".utf8)) else { return nil }
        let rest = content[start.upperBound...]
        guard let end = rest.firstIndex(of: UInt8(ascii: "<")), rest[end...].starts(with: Array("</\(name)>".utf8)) else { return nil }
        let decoded = XMLText.decoded(String(decoding: rest[..<end].prefix(textLimit * 12), as: UTF8.self))
        let words = decoded.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) } }
        let line = words.joined(separator: " ")
        return line.isEmpty ? nil : line.count > textLimit ? line.prefix(textLimit) + "…" : line
    }
}

/// The character references in the text of an XML element (XML 1.0 §4.1, §4.6).
private enum XMLText {
    private static let names: [Substring: Character] = ["amp": "&", "apos": "'", "gt": ">", "lt": "<", "quot": "\""]
    /// The maximum length of a reference without `&` and `;`.
    private static let referenceLimit = 8

    /// Returns a text with its references replaced; unknown ones stay.
    static func decoded(_ text: String) -> String {
        var (result, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            let name = rest.dropFirst().prefix(referenceLimit + 1).prefix { $0 != ";" }
            if name.count <= referenceLimit, name.endIndex < rest.endIndex, let character = character(name) {
                result.append(character)
                rest = rest[rest.index(after: name.endIndex)...]
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> Character? {
        guard name.first == "#" else { return names[name] }
        let digits = name.dropFirst()
        let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { Unicode.Scalar($0) }.map { Character($0) }
    }
}
