import Foundation
import HTTPFieldValues
import HTTPTypes
import TextComparison

/// The requests that a response serves: the fields that its `Vary` names, as they were in its request (RFC 9111 §4.1).
struct Variant: Hashable {
    /// A field of a request; its value is nil when the request lacks it.
    struct Field: Hashable {
        let name: String
        let value: BytewiseText?

        init(name: String, value: String?) {
            (self.name, self.value) = (name, value.map(BytewiseText.init))
        }

        /// Whether equal fields of two requests may have had different bytes.
        var isAmbiguous: Bool { value?.text.hasReplacedBytes ?? false }
    }

    /// The fields, sorted by their names in lower case.
    var fields: [Field]

    init(fields: [Field]) {
        self.fields = fields
    }

    /// Creates the variant of a response; nil when it may serve no other request.
    init?(of response: HTTPFields, to request: HTTPFields) {
        let names = Set(response.members(of: .vary).map { $0.lowercased() }).sorted()
        guard !names.contains("*") else { return nil }
        fields = names.map { Field(name: $0, value: Self.value(of: $0, in: request)) }
        if fields.contains(where: \.isAmbiguous) { return nil }
    }

    func matches(_ request: HTTPFields) -> Bool {
        fields.allSatisfy { !$0.isAmbiguous && $0 == Field(name: $0.name, value: Self.value(of: $0.name, in: request)) }
    }

    /// A short name that distinguishes the variant from others of a URL.
    var name: String {
        guard !fields.isEmpty else { return "" }
        let text = fields.map { "\($0.name):\($0.value?.text ?? "\u{0}")" }.joined(separator: "\n")
        let digits = String(Self.hash(text.utf8), radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// Returns the 128-bit FNV-1a hash. Two variants with one name would evict each other; `matches` compares their fields.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt128 {
        bytes.reduce(0x6C62_272E_07BB_0142_62B8_2175_6295_C58D) { ($0 ^ UInt128($1)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B }
    }

    /// Returns a value in a normalized form for comparison: equivalent values are equal.
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

/// A weighted member of a list of preferences (RFC 9110 §12.4.2).
struct Preference: Hashable {
    let name: String
    /// The weight in thousandths.
    let weight: Int

    /// Parses the members of some lines in lower case, sorted by descending weight and by name.
    static func parse(_ lines: [String]) -> [Preference] {
        let all = lines.flatMap { FieldList.members($0) }.map { Preference($0) }
        return all.sorted { ($1.weight, $0.name) < ($0.weight, $1.name) }
    }

    private init(_ member: Substring) {
        let parts = FieldList.members(Self.lowercased(member), separator: ";")
        name = parts.first.map(String.init) ?? ""
        let weights = parts.dropFirst().filter { $0.hasPrefix("q=") }.compactMap { Double($0.dropFirst(2)) }
        weight = weights.first.map { Int(($0 * 1000).rounded().clamped(to: 0...1000)) } ?? 1000
    }

    /// Returns a text with ASCII letters in lower case: others are equal to servers only if their bytes are.
    private static func lowercased(_ text: Substring) -> String {
        String(decoding: text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double { isNaN ? 0 : min(max(self, range.lowerBound), range.upperBound) }
}
