import Foundation
import LadingHTTP

/// Members as servers write them: numbers as texts and texts as numbers are taken for what they mean. What makes no sense is nil.
extension KeyedDecodingContainer<DeliveryRow.Member> {
    /// The most Unicode scalars of a text that are kept.
    static var textLimit: Int { 4_000 }
    /// The longest id, in bytes.
    static var idLimit: Int { 200 }
    /// The longest address that is kept, in bytes.
    static var urlLimit: Int { 8_192 }

    /// The identity of the row. SQLite ends texts at a zero byte, and would take two ids for one that differ only behind it.
    var id: DeliveryID? {
        guard let text = text(.id), text.utf8.count <= Self.idLimit, !text.utf8.contains(0) else { return nil }
        return DeliveryID(text)
    }

    /// A text without white space around it; nil when nothing is left.
    func text(_ member: Key) -> String? {
        guard let text = rawText(member) else { return nil }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let truncated = trimmed.unicodeScalars.count <= Self.textLimit ? trimmed : String(trimmed.unicodeScalars.prefix(Self.textLimit))
        return truncated.isEmpty ? nil : truncated
    }

    private func rawText(_ member: Key) -> String? {
        if let text = try? decode(String.self, forKey: member) { return text }
        if let number = try? decode(Int.self, forKey: member) { return number.description }
        if let number = try? decode(UInt64.self, forKey: member) { return number.description }
        return (try? decode(Double.self, forKey: member))?.description
    }

    /// A number that has an end.
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

    /// A moment; a number is seconds since 1970.
    func date(_ member: Key) -> Date? {
        if let seconds = try? decode(Double.self, forKey: member) { return TimestampReader.date(seconds: seconds) }
        return text(member).flatMap { TimestampReader.date($0) }
    }

    /// An address of scheme http or https.
    func url(_ member: Key, relativeTo list: URL?) -> URL? {
        guard let text = text(member), text.utf8.count <= Self.urlLimit, let url = URL(string: text, relativeTo: list)?.absoluteURL,
            URLPolicy().violation(for: url) == nil
        else { return nil }
        return url
    }

    func object(_ member: Key) -> KeyedDecodingContainer? { try? nestedContainer(keyedBy: Key.self, forKey: member) }
}
