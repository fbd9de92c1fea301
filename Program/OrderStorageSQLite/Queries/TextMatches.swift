import GRDB

/// The orders that contain a text.
///
/// Finding them in a large table takes longer than the rest of its page, so they are used for all pages until a text changes.
struct TextMatches: Sendable {
    struct Key: Hashable, Sendable {
        /// The pattern of the search.
        let pattern: String
        /// The number of changes of all texts.
        let version: Int
    }

    /// A text is common if at least one of this number of orders contains it.
    private static let shareLimit = 32
    /// The number of matches below which sorting them is fast, however many orders there are.
    private static let sortedLimit = 2_000

    /// Whether many orders contain the text; others are sorted instead.
    let isCommon: Bool
    /// A bit for each id of an order; empty for a text that is not common.
    private let bits: [UInt64]

    init(_ pattern: String, in database: Database) throws {
        let last = try Int.fetchOne(database.cachedStatement(sql: "SELECT MAX(id) FROM orders")) ?? 0
        let ids = try Int.fetchCursor(
            database.cachedStatement(sql: "SELECT rowid FROM orderTexts WHERE orderTexts MATCH ?"), arguments: [pattern])
        var (bits, count) = ([UInt64](repeating: 0, count: last / 64 + 1), 0)
        while let id = try ids.next() {
            guard (0...last).contains(id) else { continue }
            bits[id / 64] |= 1 << UInt64(id % 64)
            count += 1
        }
        isCommon = count > Self.sortedLimit && count > last / Self.shareLimit
        self.bits = isCommon ? bits : []
    }

    /// The size in bytes.
    var cost: Int { 64 + 8 * bits.count }

    func contains(_ id: Int) -> Bool { id >= 0 && id / 64 < bits.count && bits[id / 64] >> UInt64(id % 64) & 1 == 1 }
}
