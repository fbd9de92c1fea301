package import OrderStorage

/// A result of reading a file of orders.
package enum OrderFileEvent: Hashable, Sendable {
    case order(OrderFileRow)
    case faulty(RejectedRow)
    case notice(OrderFileNotice)
}

/// A valid row of a file of orders.
package struct OrderFileRow: Hashable, Sendable {
    /// The number of the row from 1, as in a spreadsheet; of JSON Lines, the number of the line.
    package let number: Int
    /// The line on which the row begins.
    package let line: Int
    package let externalID: String?
    package let content: OrderContent

    package init(number: Int, line: Int, externalID: String?, content: OrderContent) {
        self.number = number
        self.line = line
        self.externalID = externalID
        self.content = content
    }

    /// Whether the address has no coordinates yet.
    package var needsLocation: Bool { content.destination.coordinate == nil }
}

/// A row that breaks a rule.
package struct RejectedRow: Hashable, Sendable {
    package let number: Int
    package let line: Int
    /// Not empty.
    package let errors: [RowError]
    /// The row as it is in the file (in UTF-8), without its line end and without a first column or member `problem`.
    package let source: [UInt8]

    package init(number: Int, line: Int, errors: [RowError], source: [UInt8]) {
        self.number = number
        self.line = line
        self.errors = errors
        self.source = source
    }

    /// The errors as one line for each.
    package var descriptions: [String] { errors.map { "row \(number): \($0)" } }
}

/// A property of a file that its user should know.
package enum OrderFileNotice: Hashable, Sendable, CustomStringConvertible {
    /// The reader ignores a column. It reports each name once, up to `OrderFileReader.noticeLimit` names.
    case unknownColumn(String)

    package var description: String {
        switch self {
        case .unknownColumn(let name): "the column \"\(name)\" is unknown and was ignored"
        }
    }
}
