import Foundation
import LadingHTTP

/// Lenient decoding of members: accepts numbers as texts and texts as numbers. Invalid values are nil.
extension KeyedDecodingContainer<DeliveryRow.Member> {
    /// The maximum length of a text that is no URL, in Unicode scalars; longer texts are shortened.
    static var textLimit: Int { 4_000 }
    /// The maximum length of an id, in bytes.
    static var idLimit: Int { 200 }
    /// The maximum length of a URL, in bytes.
    static var urlLimit: Int { 8_192 }

    /// The identity of the row. Ids with a zero byte are invalid: SQLite ends texts there, so that ids differing only behind it would collide.
    var id: DeliveryID? {
        guard let text = text(.id), text.utf8.count <= Self.idLimit, !text.utf8.contains(0) else { return nil }
        return DeliveryID(text)
    }

    /// Returns a trimmed text; nil when it is empty.
    func text(_ member: Key) -> String? {
        trimmedText(member).map { $0.unicodeScalars.count <= Self.textLimit ? $0 : String($0.unicodeScalars.prefix(Self.textLimit)) }
    }

    private func trimmedText(_ member: Key) -> String? {
        guard let text = rawText(member)?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else { return nil }
        return text
    }

    private func rawText(_ member: Key) -> String? {
        if let text = try? decode(String.self, forKey: member) { return text }
        if let number = try? decode(Int.self, forKey: member) { return number.description }
        if let number = try? decode(UInt64.self, forKey: member) { return number.description }
        return (try? decode(Double.self, forKey: member))?.description
    }

    /// Returns a finite number.
    func number(_ member: Key) -> Double? {
        let number = (try? decode(Double.self, forKey: member)) ?? text(member).flatMap(Double.init)
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    func flag(_ member: Key) -> Bool? {
        if let flag = try? decode(Bool.self, forKey: member) { return flag }
        switch rawText(member)?.lowercased() {
        case "true", "1": return true
        case "false", "0": return false
        default: return nil
        }
    }

    /// Returns a date; a number is seconds since 1970.
    func date(_ member: Key) -> Date? {
        if let seconds = try? decode(Double.self, forKey: member) { return TimestampReader.date(seconds: seconds) }
        return text(member).flatMap { TimestampReader.date($0) }
    }

    /// Returns an http or https URL, which is never shortened, because its beginning is another URL; nil for one that is too long.
    func url(_ member: Key, relativeTo list: URL?) -> URL? {
        guard let text = trimmedText(member), text.utf8.count <= Self.urlLimit, let url = URL(string: text, relativeTo: list)?.absoluteURL,
            URLPolicy().violation(for: url) == nil
        else { return nil }
        return url
    }

    func object(_ member: Key) -> KeyedDecodingContainer? { try? nestedContainer(keyedBy: Key.self, forKey: member) }
}
