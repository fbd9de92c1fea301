import Foundation

/// The name of a member of a JSON object.
struct MemberName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringLiteral text: String) { stringValue = text }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Lenient decoding of members: accepts numbers as texts and texts as numbers. Invalid values are nil.
struct PhotoMembers {
    /// The maximum length of a text that is no URL, in Unicode scalars; longer texts are shortened.
    static let textLimit = 500

    /// The members; nil for null in place of an object.
    private let container: KeyedDecodingContainer<MemberName>?

    init(_ container: KeyedDecodingContainer<MemberName>?) {
        self.container = container
    }

    /// Returns a trimmed text; nil when it is empty.
    func text(_ member: MemberName) -> String? {
        trimmedText(member).map { $0.unicodeScalars.count <= Self.textLimit ? $0 : String($0.unicodeScalars.prefix(Self.textLimit)) }
    }

    /// Returns the trimmed text of a URL, which is never shortened, because its beginning is another URL; nil when it is empty.
    func address(_ member: MemberName) -> String? { trimmedText(member) }

    private func trimmedText(_ member: MemberName) -> String? {
        guard let text = rawText(member)?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else { return nil }
        return text
    }

    private func rawText(_ member: MemberName) -> String? {
        if let text = try? container?.decode(String.self, forKey: member) { return text }
        if let number = try? container?.decode(Int.self, forKey: member) { return number.description }
        return (try? container?.decode(UInt64.self, forKey: member))?.description
    }

    func number(_ member: MemberName) -> Int? { rawText(member).flatMap { Int($0) } }

    func flag(_ member: MemberName) -> Bool? {
        if let flag = try? container?.decode(Bool.self, forKey: member) { return flag }
        switch rawText(member)?.lowercased() {
        case "true", "1": return true
        case "false", "0": return false
        default: return nil
        }
    }

    func sol(_ member: MemberName) -> Sol? { number(member).flatMap { Sol($0) } }

    func date(_ member: MemberName) -> EarthDate? { text(member).flatMap { EarthDate(timestamp: $0) } }

    /// Returns a text that is short enough for the key of a photo.
    func key(_ member: MemberName) -> String? {
        text(member).flatMap { $0.utf8.count <= MarsPhotoID.keyLimit ? $0 : nil }
    }

    func object(_ member: MemberName) -> PhotoMembers? {
        (try? container?.nestedContainer(keyedBy: MemberName.self, forKey: member)).map { PhotoMembers($0) }
    }

    func texts(_ member: MemberName, limit: Int) -> [String] {
        Array(((try? container?.decode([String].self, forKey: member)) ?? []).prefix(limit))
    }

    /// Returns the decoded elements of a list, nil for each invalid one; nil when there is no list. Null is an empty list.
    ///
    /// - Throws: `PhotoDocumentError.tooManyEntries`.
    func list<Element>(_ member: MemberName, limit: Int, _ read: (PhotoMembers) -> Element?) throws -> [Element?]? {
        guard let container, (try? container.decodeNil(forKey: member)) != true else { return [] }
        guard var list = try? container.nestedUnkeyedContainer(forKey: member) else { return nil }
        guard list.count ?? 0 <= limit else { throw PhotoDocumentError.tooManyEntries(limit: limit) }
        var elements: [Element?] = []
        elements.reserveCapacity(list.count ?? 0)
        while !list.isAtEnd {
            if let element = try? list.nestedContainer(keyedBy: MemberName.self) {
                elements.append(read(PhotoMembers(element)))
            } else {
                _ = try list.decode(IgnoredElement.self)
                elements.append(nil)
            }
        }
        return elements
    }
}

/// An element that is skipped, of any type.
private struct IgnoredElement: Decodable {
    init(from decoder: any Decoder) {}
}
