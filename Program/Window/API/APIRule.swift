/// A broken rule as the API describes it: a code with facts.
struct APIRule: Decodable, Hashable, Sendable {
    enum Fact: Decodable, Hashable, Sendable {
        case number(Int)
        case text(String)
        case texts([String])
        /// A fact of another version of the API.
        case unknown

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let texts = try? container.decode([String].self) {
                self = .texts(texts)
            } else {
                self = .unknown
            }
        }
    }

    let code: String
    let facts: [String: Fact]

    init(from decoder: any Decoder) throws {
        var facts = try decoder.singleValueContainer().decode([String: Fact].self)
        if case .text(let code)? = facts.removeValue(forKey: "code") { self.code = code } else { code = "" }
        self.facts = facts
    }
}

extension APIRule {
    /// The codes that pages word.
    enum Code: String, CaseIterable {
        // Values.
        case empty, price, currency, number, time, item, courier
        case textTooLong = "text-too-long"
        case nullCharacter = "nul-character"
        case byteCount = "byte-count"
        case digitCount = "digit-count"
        case outOfRange = "out-of-range"
        case tooManyItems = "too-many-items"
        case decimalComma = "decimal-comma"
        case groupingSeparator = "thousands-separator"
        case ambiguousComma = "ambiguous-comma"
        case wholeNumber = "whole-number"
        case coordinateIncomplete = "coordinate-incomplete"
        case timeOfDay = "time-of-day"
        case ambiguousDate = "ambiguous-date"
        case existingTime = "existing-time"
        case skippedTime = "skipped-time"
        case timeZone = "time-zone"
        case itemList = "item-list"
        case itemArray = "item-array"
        case textInQuotes = "text-in-quotes"
        // Rows.
        case fieldCount = "field-count"
        case duplicateExternalID = "duplicate-external-id"
        case duplicateMember = "duplicate-member"
        case jsonSyntax = "json-syntax"
        case jsonDepth = "json-depth"
        case jsonValues = "json-values"
        case jsonObject = "json-object"
        // Files.
        case workbook, encoding, pdf, rtf
        case emptyFile = "empty-file"
        case noOrders = "no-orders"
        case oldWorkbook = "old-workbook"
        case compressedFile = "compressed-file"
        case archive7z = "archive-7z"
        case archiveRAR = "archive-rar"
        case sqliteDatabase = "sqlite-database"
        case utf32 = "utf-32"
        case zeroCharacter = "zero-character"
        case unclosedQuote = "unclosed-quote"
        case textAfterQuote = "text-after-quote"
        case tooManyColumns = "too-many-columns"
        case valueTooLong = "value-too-long"
        case rowTooLong = "row-too-long"
        case tooManyRows = "too-many-rows"
        case jsonArray = "json-array"
        case missingColumns = "missing-columns"
        case duplicateColumn = "duplicate-column"
    }
}
