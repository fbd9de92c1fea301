package import HTTPTypes
import TextComparison

/// An entity tag (RFC 9110 §8.8.3); invalid ones are accepted.
package struct EntityTag: Hashable, Sendable {
    /// The tag as in a field, with its quotes.
    package let text: String

    package init(_ text: some StringProtocol) {
        self.text = String(text)
    }

    package static func == (one: EntityTag, other: EntityTag) -> Bool { one.text.hasSameBytes(as: other.text) }

    /// Creates a strong tag from the bytes of a representation.
    ///
    /// 64-bit FNV-1a and the length: it distinguishes versions of one document, but does not resist forgery.
    package init(ofBytes bytes: UnsafeRawBufferPointer) {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        text = "\"\(String(hash, radix: 16))-\(String(bytes.count, radix: 16))\""
    }

    /// The only member of a condition that any representation meets.
    package static let any = EntityTag("*")

    package var isWeak: Bool { text.utf8.starts(with: "W/".utf8) }

    /// Returns whether two tags are equal apart from weakness, as in `If-None-Match` (§13.1.2). A tag with replaced bytes matches none.
    package func isWeakMatch(_ other: EntityTag) -> Bool { opaque.elementsEqual(other.opaque) && !text.hasReplacedBytes }

    /// Returns whether two tags are equal and both strong, as in `If-Range` (§13.1.5). A tag with replaced bytes matches none.
    package func isStrongMatch(_ other: EntityTag) -> Bool { !isWeak && self == other && !text.hasReplacedBytes }

    private var opaque: Substring.UTF8View { text.utf8.dropFirst(isWeak ? 2 : 0) }
}

// Lists of tags.
extension EntityTag {
    /// Parses a list of tags. A comma in a tag is part of it, and so is a backslash, which escapes nothing there.
    package static func list(_ text: some StringProtocol) -> [EntityTag] {
        FieldList.members(text, hasEscapes: false).map { EntityTag($0) }
    }

    /// Returns whether a condition contains this tag, or is `*`.
    ///
    /// - Parameter strongly: Whether weak tags never match, as in `If-Match` (§13.1.1).
    package func matches(anyIn condition: [EntityTag], strongly: Bool = false) -> Bool {
        condition == [.any] || condition.contains { strongly ? isStrongMatch($0) : isWeakMatch($0) }
    }
}

extension HTTPFields {
    /// Returns the tags of a list, which may span several fields.
    package func entityTags(in name: HTTPField.Name) -> [EntityTag] {
        self[values: name].flatMap { EntityTag.list($0) }
    }
}
