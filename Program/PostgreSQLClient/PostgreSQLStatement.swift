/// A statement with its values.
///
/// An interpolated value becomes a parameter, never a part of the text: `"SELECT * FROM orders WHERE id = \(id)"`. Statements of one text share a
/// prepared statement. A statement can be a part of another one.
package struct PostgreSQLStatement: Hashable, Sendable, ExpressibleByStringInterpolation {
    fileprivate enum Part: Hashable, Sendable {
        case text(String)
        case value(PostgreSQLValue)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(2 * interpolationCount + 1) }

        package mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }

        package mutating func appendInterpolation(_ value: (some PostgreSQLConvertible)?) {
            parts.append(.value(value?.postgreSQLValue ?? .null))
        }

        /// Adds an array of texts, which the statement casts to its type.
        package mutating func appendInterpolation(array elements: [String?]) { parts.append(.value(.array(elements))) }

        /// Adds text of the program, such as the names of columns.
        package mutating func appendInterpolation(sql text: String) { parts.append(.text(text)) }

        /// Adds a part with its values.
        package mutating func appendInterpolation(_ part: PostgreSQLStatement) { parts += part.parts }

        /// Adds parts with their values, separated by a text of the program.
        package mutating func appendInterpolation(_ elements: [PostgreSQLStatement], separator: String) {
            for (index, element) in elements.enumerated() {
                if index > 0 { parts.append(.text(separator)) }
                parts += element.parts
            }
        }
    }

    private let parts: [Part]

    /// The text, with a placeholder for each value.
    ///
    /// - Complexity: O(*n*) in its length.
    package var sql: String {
        var (sql, count) = ("", 0)
        for part in parts {
            switch part {
            case .text(let text): sql += text
            case .value:
                count += 1
                sql += "$\(count)"
            }
        }
        return sql
    }

    package var values: [PostgreSQLValue] {
        parts.compactMap { part in
            if case .value(let value) = part { value } else { nil }
        }
    }

    package init(sql: String) { parts = [.text(sql)] }

    package init(stringLiteral sql: String) { self.init(sql: sql) }

    package init(stringInterpolation interpolation: StringInterpolation) { parts = interpolation.parts }
}
