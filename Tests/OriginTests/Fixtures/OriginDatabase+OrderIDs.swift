import GRDB

@testable import Origin

extension OriginDatabase {
    /// Returns the ids of all orders, in ascending order.
    func orderIDs() async throws -> [Int] {
        try await writer.read { try Int.fetchAll($0, sql: "SELECT id FROM orders ORDER BY id") }
    }
}
