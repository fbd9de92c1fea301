import OrderStorage

extension RowError: CustomStringConvertible {
    /// The column, the value, and the text to write instead.
    package var description: String {
        let name = column.map { "column \"\($0)\"" }
        let subject = [name, value.isEmpty ? nil : "\"\(value)\""].compactMap(\.self).joined(separator: ": ")
        return subject.isEmpty ? problem.requirement : "\(subject) \(problem.requirement)"
    }

    /// The largest number of characters of a value in an error.
    private static let truncatedLength = 40

    /// Returns the beginning of a value, with spaces in place of control and format characters.
    static func truncated(_ value: some StringProtocol) -> String {
        let characters = value.unicodeScalars.prefix(truncatedLength + 1)
        let visible = characters.prefix(truncatedLength).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: " " as Unicode.Scalar
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(visible)) + (characters.count > truncatedLength ? "…" : "")
    }

    /// Returns the beginning of a value of valid UTF-8.
    static func truncated(_ value: Span<UInt8>) -> String {
        // Four bytes for each character.
        truncated(String(copying: value.extracting(..<min(value.count, (truncatedLength + 1) * 4))))
    }
}

extension RowProblem {
    /// The requirement, to follow the name of the column or the value.
    package var requirement: String {
        switch self {
        case .content(let violation): violation.requirement
        case .fieldCount(let count, let expected):
            "the row must have as many fields as the header (\(expected)), not \(count): "
                + "put values with delimiters, quotes or line ends in quotes"
        case .duplicateExternalID(let row): "must be unique: row \(row) has the same value"
        case .decimalComma: "must have a decimal point, as in 42.50"
        case .groupingSeparator: "must be written without thousands separators, as in 1234.50"
        case .ambiguousComma:
            "must be written with a decimal point or without a comma, because three digits behind a comma can be thousands"
        case .notANumber: "must be a number such as 48.137"
        case .coordinateIncomplete: "must not be empty if the other coordinate is given: fill in both, or none"
        case .time(let problem): problem.requirement
        case .items: "must be a list such as 12 x 1.5 kg; 7 x 2 pcs: the id of each grocery, its quantity and its unit"
        case .itemArray: "must be an array such as [{\"id\":12,\"quantity\":\"1.5\",\"unit\":\"kg\"}]"
        case .json(let problem): problem.requirement
        case .duplicateMember: "must occur only once in an object"
        case .notText: "must be a text in quotes"
        }
    }
}

extension TimeProblem {
    var requirement: String {
        let forms = "2026-05-15 12:00, 15.05.2026 12:00 or 2026-05-15T12:00:00Z"
        return switch self {
        case .unknownForm: "must be a time such as \(forms)"
        case .dateWithoutTime: "must contain a time of day, as in 2026-05-15 12:00"
        case .ambiguousDate: "must be written as \(forms), because month and day of such a date are ambiguous"
        case .outOfRange: "must be an existing date and a time from 00:00 to 23:59, such as \(forms)"
        case .skipped(let zone):
            "must be another time: clocks in \(zone) are put forward and skip it; or add an offset, as in 2026-05-15T12:00+02:00"
        }
    }
}
