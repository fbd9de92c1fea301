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
    /// A bit for each id, 64 of them by the id divided by 64: ids have a gap after each restore. Empty for a text that is not common.
    private let bits: [Int: UInt64]

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
        let countSQL = "SELECT COALESCE(SUM(count), 0) FROM stateCounts"
        let orderCount = try Int.fetchOne(database.cachedStatement(sql: countSQL)) ?? 0
        let ids = try Int.fetchCursor(database.cachedStatement(sql: text.idsSQL), arguments: text.arguments)
        var (bits, count) = ([Int: UInt64](), 0)
        while let id = try ids.next() {
            bits[id >> 6, default: 0] |= Self.bit(id)
            count += 1
        }
        isCommon = count * count * Self.entriesPerOrder > BoardQuery.limitOfPage * orderCount
        self.bits = isCommon ? bits : [:]
    }

    /// The size in bytes, with the free places of the table.
    private var cost: Int { 64 + 2 * MemoryLayout<(Int, UInt64)>.size * bits.count }

    func contains(_ id: Int) -> Bool { (bits[id >> 6] ?? 0) & Self.bit(id) != 0 }

    private static func bit(_ id: Int) -> UInt64 { 1 << UInt64(id & 63) }
}
