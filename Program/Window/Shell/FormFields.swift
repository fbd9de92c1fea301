import Foundation

/// The fields of a form in `application/x-www-form-urlencoded`, where a plus sign is a space.
struct FormFields {
    /// The maximum number of fields; those beyond it are ignored.
    static let fieldLimit = 1_000

    private var values: [String: String] = [:]
    /// All fields, in their order.
    private(set) var all: [(name: String, value: String)] = []

    init(_ query: String) {
        for field in query.split(separator: "&", maxSplits: Self.fieldLimit).prefix(Self.fieldLimit) {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
            let value = parts.count > 1 ? parts[1] : ""
            all.append((parts[0], value))
            if values[parts[0]] == nil { values[parts[0]] = value }
        }
    }

    /// Returns the first value of a name; nil when there is none.
    subscript(name: String) -> String? { values[name] }

    private static func decoded(_ text: Substring) -> String {
        let spaced = text.replacing("+", with: " ")
        return spaced.removingPercentEncoding ?? String(spaced)
    }
}
