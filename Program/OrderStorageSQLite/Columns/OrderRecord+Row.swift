import GRDB
import OrderLifecycle
import OrderStorage

extension OrderRecord {
    private static let selectSQL = "SELECT * FROM orders WHERE id = ?"

    /// Returns an order; nil if there is none.
    static func fetchOne(_ database: Database, id: Int) throws -> OrderRecord? {
        try fetchAll(database.cachedStatement(sql: selectSQL), arguments: [id]).first
    }

    /// Returns the orders that a statement selects. They are decoded as they are read: a copy of a row searches all names for each column.
    static func fetchAll(_ statement: Statement, arguments: StatementArguments) throws -> [OrderRecord] {
        try Array(Row.fetchCursor(statement, arguments: arguments).map { try OrderRecord(row: $0) })
    }

    init(row: Row) throws {
        let state: String = row["state"]
        guard let state = OrderState(rawValue: state) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "unknown state of order \(row["id"] as Int)")
        }
        let holder: String? = row["holder"]
        self.init(
            id: row["id"], content: try OrderContent(row: row), state: state,
            version: OrderVersion(fence: Fence(rawValue: row["fence"]), eventCount: row["eventCount"]),
            holder: holder.map(PersonID.init(rawValue:)), heldSince: row.timestamp("heldSince"), leaseEnd: row.timestamp("leaseEnd"),
            deadline: row.timestamp("deadline"), attempts: row["attempts"], openReports: row["openReports"],
            externalID: row["externalID"], isDemo: row["isDemo"])
    }
}

extension Row {
    /// Returns a column of milliseconds.
    func timestamp(_ column: String) -> Timestamp? {
        let value: Int64? = self[column]
        return value.map(Timestamp.init(milliseconds:))
    }
}
