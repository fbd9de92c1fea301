/// The state that the rows of a file share.
struct RowContext: Sendable {
    let defaultCurrency: String?
    let rowLimit: Int
    /// Whether numbers may have a decimal comma.
    var allowsDecimalComma = false
    var offsets: ZoneOffsets
    var externalIDs = ExternalIDTable()
    private(set) var orderCount = 0
    private(set) var faultyCount = 0
    private var unknownNames: Set<String> = []

    init(defaultCurrency: String?, rowLimit: Int, offsets: ZoneOffsets) {
        self.defaultCurrency = defaultCurrency
        self.rowLimit = rowLimit
        self.offsets = offsets
    }

    /// Counts a row, and returns its event.
    mutating func event(
        of draft: inout RowDraft, number: Int, line: Int, name: (OrderColumn) -> String, source: () -> [UInt8]
    ) -> OrderFileEvent {
        if let content = draft.content(defaultCurrency: defaultCurrency) {
            orderCount += 1
            return .order(OrderFileRow(number: number, line: line, externalID: draft.externalID, content: content))
        }
        let errors = draft.errors.map { RowError(column: $0.column.map(name), value: $0.value, problem: $0.problem) }
        return faulty(number: number, line: line, errors: errors, source: source())
    }

    /// Counts a row that cannot be divided into columns, and returns its event.
    mutating func faulty(number: Int, line: Int, errors: [RowError], source: [UInt8]) -> OrderFileEvent {
        faultyCount += 1
        return .faulty(RejectedRow(number: number, line: line, errors: errors, source: source))
    }

    /// Returns the notice of an unknown column, unless it was reported, or too many were.
    mutating func notice(ofUnknown name: String) -> OrderFileNotice? {
        let name = RowError.truncated(name)
        guard unknownNames.count < OrderFileReader.noticeLimit, unknownNames.insert(name).inserted else { return nil }
        return .unknownColumn(name)
    }
}
