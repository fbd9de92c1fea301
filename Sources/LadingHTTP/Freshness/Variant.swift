import Crypto
import Foundation
import HTTPTypes

/// Which requests a reply answers: the fields that its `Vary` names, as the request had them (RFC 9111 §4.1).
struct Variant: Hashable {
    /// A field of a request; its value is nil when the request has none.
    struct Field: Hashable {
        let name: String
        let value: String?
    }

    /// The names in lower case, in order.
    var fields: [Field]

    init(fields: [Field]) {
        self.fields = fields
    }

    /// What a reply to this request answers; nil when no other request can be known to be answered by it.
    init?(of reply: HTTPFields, to request: HTTPFields) {
        let names = Set(reply.members(of: .vary).map { $0.lowercased() }).sorted()
        guard !names.contains("*") else { return nil }
        fields = names.map { Field(name: $0, value: Self.value(of: $0, in: request)) }
    }

    func matches(_ request: HTTPFields) -> Bool {
        fields.allSatisfy { $0.value == Self.value(of: $0.name, in: request) }
    }

    /// Tells it apart from the other variants of a URL, shortly.
    var name: String {
        guard !fields.isEmpty else { return "" }
        let text = fields.map { "\($0.name):\($0.value ?? "\u{0}")" }.joined(separator: "\n")
        return SHA256.hash(data: Array(text.utf8)).prefix(16).map { String(format: "%02x", $0) }.joined()
    }

    /// A value in the form in which values are compared: what is known to mean the same is the same.
    private static func value(of name: String, in request: HTTPFields) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        let lines = request[values: name]
        guard !lines.isEmpty else { return nil }
        switch name {
        case .acceptLanguage, .acceptEncoding:
            return Preference.parse(lines).map { "\($0.name);q=\($0.weight)" }.joined(separator: ",")
        default:
            return lines.flatMap { FieldList.members($0) }.joined(separator: ",")
        }
    }
}

/// A member of a list in which clients weigh what they would like (RFC 9110 §12.4.2).
struct Preference: Hashable {
    let name: String
    /// In thousandths.
    let weight: Int

    /// The members of some lines, without case: those liked most first, and otherwise by name.
    static func parse(_ lines: [String]) -> [Preference] {
        let all = lines.flatMap { FieldList.members($0) }.map { Preference($0) }
        return all.sorted { ($1.weight, $0.name) < ($0.weight, $1.name) }
    }

    private init(_ member: Substring) {
        let parts = member.lowercased().split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        name = parts.first ?? ""
        let weights = parts.dropFirst().filter { $0.hasPrefix("q=") }.compactMap { Double($0.dropFirst(2)) }
        weight = Int(((weights.first ?? 1) * 1000).rounded().clamped(to: 0...1000))
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double { isNaN ? 0 : min(max(self, range.lowerBound), range.upperBound) }
}
