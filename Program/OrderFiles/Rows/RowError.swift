package import OrderStorage

/// An error of one row of a file.
package struct RowError: Hashable, Sendable {
    /// The name of the column, as it is in the file; nil if the error is one of the whole row.
    package let column: String?
    /// The beginning of the faulty value, without control characters; empty if the value is missing.
    package let value: String
    package let problem: RowProblem

    package init(column: String?, value: String, problem: RowProblem) {
        self.column = column
        self.value = value
        self.problem = problem
    }
}

/// The rule that a row breaks.
package enum RowProblem: Error, Hashable, Sendable {
    case content(OrderContentRules.Violation)
    case fieldCount(Int, expected: Int)
    /// An earlier row has the same external id.
    case duplicateExternalID(firstRow: Int)
    /// The price has a decimal comma where commas separate the columns.
    case decimalComma
    case groupingSeparator
    /// A comma is followed by three digits, so it may separate thousands or decimals.
    case ambiguousComma
    case notANumber
    /// Only one of two coordinates is there.
    case coordinateIncomplete
    case time(TimeProblem)
    case items
    /// The items of a line of JSON are no array of items.
    case itemArray
    /// The line is no object of JSON.
    case json(JSONProblem)
    /// A member of an object occurs twice.
    case duplicateMember
    case notText
}

/// The reason why a text is no time.
package enum TimeProblem: Error, Hashable, Sendable {
    case unknownForm
    case dateWithoutTime
    /// Day and month cannot be distinguished, as in `05/06/2026`.
    case ambiguousDate
    /// A date or a time of day such as February 30 or 25:00.
    case outOfRange
    /// The clocks of a time zone skip the time, because daylight saving begins.
    case skipped(timeZone: String)
}
