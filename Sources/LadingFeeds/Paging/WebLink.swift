/// One link of a `Link` field: where it leads, and in which relation (RFC 8288 §3).
struct WebLink: Equatable, Sendable {
    /// The most bytes of a field that are read.
    static let sizeLimit = 8_192

    /// As it was written: relative to the address of the page.
    var target: String
    /// In small letters.
    var relations: [String]

    /// The links in the value of a field. What cannot be read, and what is behind it, is left out.
    static func links(in field: String) -> [WebLink] {
        var reader = LinkFieldReader(field.utf8.prefix(sizeLimit))
        var links: [WebLink] = []
        while let link = reader.next() { links.append(link) }
        return links
    }
}

/// Reads links one by one, by the grammar of RFC 8288 §3 with quoted strings of RFC 9110 §5.6.4.
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
            // The first one counts, says §3.3.
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
