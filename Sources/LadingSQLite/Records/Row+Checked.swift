import GRDB

extension Row {
    /// A value of the type that its column was made with.
    ///
    /// The subscripts of rows end the process when a value has another type, and a damaged file can hold anything.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` when it has not.
    func checked<Value: DatabaseValueConvertible>(_ column: Int, as type: Value.Type = Value.self) throws -> Value {
        guard let value = try checkedIfPresent(column, as: type) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return value
    }

    /// The same for a column that may be empty.
    func checkedIfPresent<Value: DatabaseValueConvertible>(_ column: Int, as type: Value.Type = Value.self) throws -> Value? {
        let found: DatabaseValue = self[column]
        guard !found.isNull else { return nil }
        guard let value = Value.fromDatabaseValue(found) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return value
    }

    /// The value of a column; nil when there is none, and when it has another type, as in a damaged file.
    func value<Value: DatabaseValueConvertible>(_ column: String, as type: Value.Type = Value.self) -> Value? {
        let found: DatabaseValue? = self[column]
        return found.flatMap(Value.fromDatabaseValue)
    }
}
