import GRDB
import OrderLifecycle
import OrderStorage
import SQLiteFiles

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
        let id: Int = try row.checked("id")
        guard let state = OrderState(rawValue: try row.checked("state")) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "unknown state of order \(id)")
        }
        let holder: String? = try row.checked("holder")
        try self.init(
            id: id, content: OrderContent(row: row), state: state,
            version: OrderVersion(fence: Fence(rawValue: row.checked("fence")), eventCount: row.checked("eventCount")),
            holder: holder.map(PersonID.init(rawValue:)), heldSince: row.timestamp("heldSince"), leaseEnd: row.timestamp("leaseEnd"),
            deadline: row.timestamp("deadline"), attempts: row.checked("attempts"), openReports: row.checked("openReports"),
            externalID: row.checked("externalID"), isDemo: row.checked("isDemo"))
    }
}

extension Row {
    /// Returns a column of milliseconds.
    func timestamp(_ column: String) throws -> Timestamp? {
        let value: Int64? = try checked(column)
        return value.map(Timestamp.init(milliseconds:))
    }
}
