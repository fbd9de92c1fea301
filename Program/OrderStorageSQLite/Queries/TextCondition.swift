import GRDB
import OrderStorage

/// The condition that an order contains the words of a text.
struct TextCondition: Hashable, Sendable {
    private static let indexSQL = "SELECT rowid FROM orderTexts WHERE orderTexts MATCH ?"

    /// The pattern that finds words by their beginnings in the index; nil without such a word.
    private let pattern: String?
    /// The patterns of the words that an order contains anywhere, which the index does not find.
    private let parts: [String]

    /// Returns nil for a text without a word.
    init?(_ text: String) {
        let text = SearchText(text)
        pattern = text.words.isEmpty ? nil : text.words.map { "\"\($0)\"*" }.joined(separator: " ")
        // Words have no characters with a meaning in a pattern.
        parts = text.parts.map { "%\($0)%" }
        if pattern == nil, parts.isEmpty { return nil }
    }

    /// The condition on a row of orders.
    var sql: String {
        // No word contains a space, so none is found across the ends of two texts.
        let conditions = parts.map { _ in "title || ' ' || info || ' ' || address LIKE ?" }
        return ((pattern == nil ? [] : ["id IN (\(Self.indexSQL))"]) + conditions).joined(separator: " AND ")
    }

    /// The statement for the ids of all orders that contain the words.
    var idsSQL: String { parts.isEmpty ? Self.indexSQL : "SELECT id FROM orders WHERE \(sql)" }

    /// The arguments of both statements.
    var arguments: StatementArguments { StatementArguments(values) }

    /// The size of the values in bytes.
    var cost: Int { values.reduce(0) { $0 + $1.utf8.count } }

    private var values: [String] { (pattern.map { [$0] } ?? []) + parts }
}
