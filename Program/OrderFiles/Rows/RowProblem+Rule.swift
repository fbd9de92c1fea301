package import OrderStorage

extension RowProblem {
    /// The rule with its facts.
    package var rule: BrokenRule {
        switch self {
        case .content(let violation): violation.rule
        case .fieldCount(let count, let expected): BrokenRule("field-count", .number("count", count), .number("expectedCount", expected))
        case .duplicateExternalID(let row): BrokenRule("duplicate-external-id", .number("row", row))
        case .decimalComma: BrokenRule("decimal-comma")
        case .groupingSeparator: BrokenRule("thousands-separator")
        case .ambiguousComma: BrokenRule("ambiguous-comma")
        case .notANumber: BrokenRule("number")
        case .coordinateIncomplete: BrokenRule("coordinate-incomplete")
        case .time(let problem): problem.rule
        case .items: BrokenRule("item-list")
        case .itemArray: BrokenRule("item-array")
        case .json(let problem): problem.rule
        case .duplicateMember: BrokenRule("duplicate-member")
        case .notText: BrokenRule("text-in-quotes")
        }
    }
}

extension TimeProblem {
    package var rule: BrokenRule {
        switch self {
        case .unknownForm: BrokenRule("time")
        case .dateWithoutTime: BrokenRule("time-of-day")
        case .ambiguousDate: BrokenRule("ambiguous-date")
        case .outOfRange: BrokenRule("existing-time")
        case .skipped(let zone): BrokenRule("skipped-time", .text("timeZone", zone))
        }
    }
}

extension JSONProblem {
    fileprivate var rule: BrokenRule {
        switch self {
        case .syntax(let expected, let column):
            BrokenRule("json-syntax", .text("expected", expected.rawValue), .number("character", column))
        case .depthExceeded(let limit): BrokenRule("json-depth", .number("limit", limit))
        case .tooManyValues(let limit): BrokenRule("json-values", .number("limit", limit))
        case .notAnObject: BrokenRule("json-object")
        }
    }
}
