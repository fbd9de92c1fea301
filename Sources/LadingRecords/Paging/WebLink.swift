/// A link of a `Link` field: its target and its relations (RFC 8288 §3).
struct WebLink: Equatable, Sendable {
    /// The maximum number of bytes of a field that are parsed.
    static let sizeLimit = 8_192

    /// The target as written, which may be relative to the URL of the page.
    var target: String
    /// The relation types in lowercase.
    var relations: [String]

    /// Returns the links of a field value, up to the first that cannot be parsed.
    static func links(in field: String) -> [WebLink] {
        var reader = LinkFieldReader(field.utf8.prefix(sizeLimit))
        var links: [WebLink] = []
        while let link = reader.next() { links.append(link) }
        return links
    }
}

/// A parser of the grammar of RFC 8288 §3 with the quoted strings of RFC 9110 §5.6.4.
private struct LinkFieldReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        rest = Array(bytes)[...]
    }

    mutating func next() -> WebLink? {
        while consume(",") {}
        guard consume("<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        var link = WebLink(target: String(decoding: rest[..<end], as: UTF8.self), relations: [])
        rest = rest[(end + 1)...]
        var hasRelation = false
        while consume(";") {
            let name = token().lowercased()
            let value = consume("=") ? self.value() : ""
            // Only the first `rel` parameter counts (§3.3).
            guard name == "rel", !hasRelation else { continue }
            hasRelation = true
            link.relations = value.split(separator: " ").map { $0.lowercased() }
        }
        return link
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func token() -> String {
        skipSpace()
        let token = rest.prefix { !"=;, \t\"<>".utf8.contains($0) }
        rest = rest[token.endIndex...]
        return String(decoding: token, as: UTF8.self)
    }

    private mutating func value() -> String {
        guard consume("\"") else { return token() }
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { value.append(escaped) } else { value.append(byte) }
        }
        return String(decoding: value, as: UTF8.self)
    }
}
