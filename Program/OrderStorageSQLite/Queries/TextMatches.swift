import GRDB
import LadingCaching
import OrderStorage

/// The orders that contain a text.
///
/// Finding them in a large table takes longer than the rest of its page, so they are used for all pages until a text changes.
struct TextMatches: Sendable {
    typealias Cache = MemoryCache<Key, TextMatches>

    struct Key: Hashable, Sendable {
        let text: TextCondition
        /// The number of changes of all texts, with the epoch: a restored backup sets the number back.
        let version: String
    }

    /// The number of entries of an index that are read in the time of one order.
    private static let entriesPerOrder = 10

    /// Whether reading the entries of all orders until a page is full takes less time than reading and sorting the orders that contain the text.
    let isCommon: Bool
    /// A bit for each id of an order; empty for a text that is not common.
    private let bits: [UInt64]

    /// Returns the orders that contain a text, from the cache if no text has changed since.
    static func matches(of text: TextCondition, _ cache: Cache, in database: Database) throws -> TextMatches {
        let version = try String.fetchOne(database.cachedStatement(sql: "SELECT epoch || ' ' || textVersion FROM orderMetadata")) ?? ""
        let key = Key(text: text, version: version)
        if let matches = cache.value(for: key) { return matches }
        let matches = try TextMatches(text, in: database)
        cache.store(matches, for: key, cost: matches.cost + text.cost)
        return matches
    }

    private init(_ text: TextCondition, in database: Database) throws {
        let last = try Int.fetchOne(database.cachedStatement(sql: "SELECT MAX(id) FROM orders")) ?? 0
        let ids = try Int.fetchCursor(database.cachedStatement(sql: text.idsSQL), arguments: text.arguments)
        var (bits, count) = ([UInt64](repeating: 0, count: last / 64 + 1), 0)
        while let id = try ids.next() {
            guard (0...last).contains(id) else { continue }
            bits[id / 64] |= 1 << UInt64(id % 64)
            count += 1
        }
        isCommon = count * count * Self.entriesPerOrder > BoardQuery.limitOfPage * last
        self.bits = isCommon ? bits : []
    }

    /// The size in bytes.
    private var cost: Int { 64 + 8 * bits.count }

    func contains(_ id: Int) -> Bool { id >= 0 && id / 64 < bits.count && bits[id / 64] >> UInt64(id % 64) & 1 == 1 }
}
