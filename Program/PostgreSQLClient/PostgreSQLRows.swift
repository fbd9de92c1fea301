#if PostgreSQL
    internal import CPostgreSQL

    /// The rows of a statement.
    package final class PostgreSQLRows: RandomAccessCollection, Sendable {
        // Proof: a `PGresult` never changes, and reading it is safe on any thread.
        nonisolated(unsafe) private let result: OpaquePointer
        package let startIndex = 0
        package let endIndex: Int
        /// The number of inserted, updated or deleted rows.
        package let changedCount: Int
        private let columns: [String: Int32]

        /// - Parameter result: A `PGresult`, which is freed with the rows.
        init(_ result: OpaquePointer) {
            self.result = result
            endIndex = Int(PQntuples(result))
            changedCount = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
            columns = Dictionary(
                (0..<PQnfields(result)).map { (String(cString: PQfname(result, $0)), $0) }, uniquingKeysWith: { first, _ in first })
        }

        deinit { PQclear(result) }

        package subscript(position: Int) -> PostgreSQLRow { PostgreSQLRow(rows: self, index: position) }

        fileprivate func text(_ column: String, _ row: Int) throws -> String? {
            guard let number = columns[column] else { throw PostgreSQLError.unexpectedValue(column: column) }
            guard PQgetisnull(result, Int32(row), number) == 0 else { return nil }
            let bytes = UnsafeBufferPointer(
                start: PQgetvalue(result, Int32(row), number), count: Int(PQgetlength(result, Int32(row), number)))
            return bytes.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// A row of a result.
    package struct PostgreSQLRow: Sendable {
        fileprivate let rows: PostgreSQLRows
        fileprivate let index: Int

        /// Returns the value of a column.
        ///
        /// - Throws: `PostgreSQLError.unexpectedValue` for NULL, another type, or an unknown column.
        package func value<Value: PostgreSQLConvertible>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
            guard let value: Value = try optional(column) else { throw PostgreSQLError.unexpectedValue(column: column) }
            return value
        }

        /// Returns the value of a column; nil for NULL.
        ///
        /// - Throws: `PostgreSQLError.unexpectedValue` for another type, or an unknown column.
        package func optional<Value: PostgreSQLConvertible>(_ column: String, as type: Value.Type = Value.self) throws -> Value? {
            guard let text = try rows.text(column, index) else { return nil }
            guard let value = Value(postgreSQLText: text) else { throw PostgreSQLError.unexpectedValue(column: column) }
            return value
        }
    }
#endif
