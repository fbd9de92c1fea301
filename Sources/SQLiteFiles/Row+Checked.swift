public import GRDB

extension Row {
    /// Returns the value of a non-null column, which must have the declared type.
    ///
    /// The subscripts of `Row` trap on another type, and a damaged file can contain any type.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` for a null or a value of another type.
    package func checked<Value: DatabaseValueConvertible>(_ column: Int, as type: Value.Type = Value.self) throws -> Value {
        guard let value = try checkedIfPresent(column, as: type) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return value
    }

    /// Returns a number between −2⁵³ and 2⁵³ in a non-null column. Sums and differences of numbers in a damaged file could overflow.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` for another number, a null, or a value of another type.
    package func checkedNumber(_ column: Int) throws -> Int {
        let number: Int = try checked(column)
        guard (-1 << 53...1 << 53).contains(number) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return number
    }

    /// Returns the value of a nullable column, which must have the declared type.
    package func checkedIfPresent<Value: DatabaseValueConvertible>(_ column: Int, as type: Value.Type = Value.self) throws -> Value? {
        let found: DatabaseValue = self[column]
        guard !found.isNull else { return nil }
        guard let value = Value.fromDatabaseValue(found) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return value
    }

    /// Returns the value of a column by its name. The type is optional for a nullable column.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` for a null or a value that cannot be converted. It does not contain the row, as the
    ///   errors of GRDB do.
    @inlinable
    package func checked<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ column: String, as type: Value.Type = Value.self
    ) throws -> Value {
        do { return try decode(type, forColumn: column) } catch {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the column \(column) is damaged")
        }
    }

    /// Returns the value of a column; nil if it is missing or, in a damaged file, of another type.
    package func value<Value: DatabaseValueConvertible>(_ column: String, as type: Value.Type = Value.self) -> Value? {
        let found: DatabaseValue? = self[column]
        return found.flatMap(Value.fromDatabaseValue)
    }
}
