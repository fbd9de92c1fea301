/// A statement with its values.
///
/// An interpolated value becomes a parameter, never a part of the text: `"SELECT * FROM orders WHERE id = \(id)"`. Statements of one text share a
/// prepared statement.
package struct PostgreSQLStatement: Hashable, Sendable, ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql = ""
        fileprivate var values: [PostgreSQLValue] = []

        package init(literalCapacity: Int, interpolationCount: Int) { sql.reserveCapacity(literalCapacity + 3 * interpolationCount) }

        package mutating func appendLiteral(_ literal: String) { sql += literal }

        package mutating func appendInterpolation(_ value: (some PostgreSQLConvertible)?) { append(value?.postgreSQLValue ?? .null) }

        package mutating func appendInterpolation(array elements: [String?]) { append(.array(elements)) }

        /// Adds text of the program, such as the names of columns.
        package mutating func appendInterpolation(sql text: String) { sql += text }

        private mutating func append(_ value: PostgreSQLValue) {
            values.append(value)
            sql += "$\(values.count)"
        }
    }

    package let sql: String
    package let values: [PostgreSQLValue]

    package init(sql: String, values: [PostgreSQLValue] = []) {
        self.sql = sql
        self.values = values
    }

    package init(stringLiteral sql: String) { self.init(sql: sql) }

    package init(stringInterpolation interpolation: StringInterpolation) { self.init(sql: interpolation.sql, values: interpolation.values) }
}
