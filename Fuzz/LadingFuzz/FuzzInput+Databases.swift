import Foundation
import GRDB
import LadingHTTP
import OrderStorage
import OrderStorageSQLite

extension FuzzInput {
    /// The columns of a database that are read when a backup is verified and restored.
    private static let tables = [
        "orders": [
            "id", "externalID", "title", "info", "price", "currency", "deliveryDate", "due", "address", "radius", "radiusUnit", "latitude",
            "longitude", "items", "pin", "isDemo", "state", "fence", "holder", "heldSince", "leaseEnd", "deadline", "attempts",
            "eventCount", "openReports",
        ],
        "orderEvents": ["orderID", "number", "event"],
        "orderReports": ["orderID", "number", "report", "isSettled"],
        "orderMetadata": ["fenceFloor"],
        "stateCounts": ["state", "count"],
        "proofs": ["orderID", "digest", "contentDigest", "length", "content"],
        "people": ["id", "name", "revocationTime"],
        "tokens": ["hash", "person"],
        "courierPositions": ["person"],
    ]

    /// A database without types and constraints: a damaged file can have any value in any column.
    private static let database: DatabaseQueue = {
        do {
            let database = try DatabaseQueue()
            try database.write { database in
                for (name, columns) in tables { try database.execute(sql: "CREATE TABLE \(name) (\(columns.joined(separator: ", ")))") }
            }
            return database
        } catch {
            preconditionFailure("no database in memory: \(error)")
        }
    }()

    /// Parses rows of a database, one a line: `orders {"id": 1, "title": "Soup"}`.
    ///
    /// The input is no file: SQLite refuses nearly all damaged pages before it reads a row, and a file with all tables is too long for an input.
    func parseDatabase() {
        try? Self.database.inTransaction { database in
            for line in lines { try Self.insert(line, in: database) }
            if let problems = try? OrderVerification.problems(in: database) {
                precondition(problems.count <= ProblemList.limit, "the list of problems is limited")
            }
            if let record = try? RevocationRecord(of: database) {
                precondition(record.isCurrent(at: record), "a record equals itself")
                _ = try? record.apply(to: database)
            }
            return .rollback
        }
    }

    private static func insert(_ line: String, in database: Database) throws {
        let name = line.prefix { $0 != " " }
        guard let columns = tables[String(name)], case .object(let values)? = try? JSONValue(json: line.dropFirst(name.count).utf8) else {
            return
        }
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let row: [DatabaseValue] = columns.map { values[$0]?.columnValue ?? .null }
        try database.cachedStatement(sql: "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(marks))")
            .execute(arguments: StatementArguments(row))
    }
}

extension JSONValue {
    /// The value in a column: the text of an object, and the bytes of an array.
    fileprivate var columnValue: DatabaseValue {
        switch self {
        case .null: .null
        case .bool(let flag): flag.databaseValue
        case .integer(let number): number.databaseValue
        case .number(let number): number.databaseValue
        case .string(let text): text.databaseValue
        case .array(let elements): Data(elements.map(\.byte)).databaseValue
        case .object: text.databaseValue
        }
    }

    private var byte: UInt8 {
        if case .integer(let number) = self { UInt8(truncatingIfNeeded: number) } else { 0 }
    }
}
