import Foundation

/// The fields of a form in `application/x-www-form-urlencoded`, where a plus sign is a space.
struct FormFields {
    private var values: [String: String] = [:]

    init(_ query: String) {
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
            if values[parts[0]] == nil { values[parts[0]] = parts.count > 1 ? parts[1] : "" }
        }
    }

    /// Returns the first value of a name; nil when there is none.
    subscript(name: String) -> String? { values[name] }

    private static func decoded(_ text: Substring) -> String {
        let spaced = text.replacing("+", with: " ")
        return spaced.removingPercentEncoding ?? String(spaced)
    }
}
