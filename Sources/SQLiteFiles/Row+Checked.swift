package import GRDB

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

    /// Returns the value of a nullable column, which must have the declared type.
    package func checkedIfPresent<Value: DatabaseValueConvertible>(_ column: Int, as type: Value.Type = Value.self) throws -> Value? {
        let found: DatabaseValue = self[column]
        guard !found.isNull else { return nil }
        guard let value = Value.fromDatabaseValue(found) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return value
    }

    /// Returns the value of a column; nil if it is missing or, in a damaged file, of another type.
    package func value<Value: DatabaseValueConvertible>(_ column: String, as type: Value.Type = Value.self) -> Value? {
        let found: DatabaseValue? = self[column]
        return found.flatMap(Value.fromDatabaseValue)
    }
}
