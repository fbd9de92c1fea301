// The rules of orders and of files of orders, which the API names by code.
extension Texts {
    /// Returns the text of a rule, to follow the name of a field or a value; nil for an unknown code, or if a fact is missing.
    func requirement(_ rule: APIRule) -> String? {
        APIRule.Code(rawValue: rule.code).flatMap { filled(template(of: $0), with: rule.facts) }
    }

    /// Returns the notice of a column that was ignored.
    func unknownColumn(_ name: String) -> String { strings.unknownColumn.replacing("{name}", with: isolated(name)) }

    /// Returns a text with facts in place of its placeholders; nil if one is missing.
    private func filled(_ text: String, with facts: [String: APIRule.Fact]) -> String? {
        var isComplete = true
        let filled = text.replacing(/\{(\w+)\}/) { placeholder -> String in
            let fact = facts[String(placeholder.1)].flatMap { self.text(of: $0, named: placeholder.1) }
            isComplete = isComplete && fact != nil
            return fact ?? ""
        }
        return isComplete ? filled : nil
    }

    private func text(of fact: APIRule.Fact, named name: Substring) -> String? {
        switch fact {
        case .number(let number): self.number(number)
        case .text(let code) where name == "expected": expectedJSON(code)
        case .text(let text): isolated(text)
        case .texts(let names):
            names.isEmpty ? strings.noColumns : names.map { isolated("\"\($0)\"") }.joined(separator: ", ")
        case .unknown: nil
        }
    }

    /// Returns the part of a JSON text that is expected; nil for an unknown code.
    private func expectedJSON(_ code: String) -> String? {
        switch code {
        case "value": strings.jsonValue
        case "digit": strings.jsonDigit
        case "quote": strings.jsonQuote
        case "escape": strings.jsonEscape
        case "colon": isolated("\":\"")
        case "number-without-leading-zeros": strings.jsonNumberWithoutLeadingZeros
        case "closing-quote": strings.jsonClosingQuote
        case "escaped-character": strings.jsonEscapedCharacter
        case "hexadecimal-digits": strings.jsonHexadecimalDigits
        case "surrogate-half": strings.jsonSurrogateHalf
        case "comma-or-brace": strings.jsonCommaOrBrace
        case "comma-or-bracket": strings.jsonCommaOrBracket
        case "end-of-line": strings.jsonEndOfLine
        default: nil
        }
    }

    private func template(of code: APIRule.Code) -> String {
        switch code {
        case .empty: strings.ruleEmpty
        case .textTooLong: strings.ruleTextTooLong
        case .nullCharacter: strings.ruleNULCharacter
        case .byteCount: strings.ruleByteCount
        case .digitCount: strings.ruleDigitCount
        case .outOfRange: strings.ruleOutOfRange
        case .price: strings.rulePrice
        case .currency: strings.ruleCurrency
        case .number: strings.ruleNumber
        case .wholeNumber: strings.ruleWholeNumber
        case .decimalComma: strings.ruleDecimalComma
        case .groupingSeparator: strings.ruleThousandsSeparator
        case .ambiguousComma: strings.ruleAmbiguousComma
        case .coordinateIncomplete: strings.ruleCoordinateIncomplete
        case .time: strings.ruleTime
        case .timeOfDay: strings.ruleTimeOfDay
        case .ambiguousDate: strings.ruleAmbiguousDate
        case .existingTime: strings.ruleExistingTime
        case .skippedTime: strings.ruleSkippedTime
        case .timeZone: strings.ruleTimeZone
        case .item: strings.ruleItem
        case .tooManyItems: strings.ruleTooManyItems
        case .itemList: strings.ruleItemList
        case .itemArray: strings.ruleItemArray
        case .textInQuotes: strings.ruleTextInQuotes
        case .courier: strings.ruleCourier
        case .fieldCount: strings.ruleFieldCount
        case .duplicateExternalID: strings.ruleDuplicateExternalID
        case .duplicateMember: strings.ruleDuplicateMember
        case .jsonSyntax: strings.ruleJSONSyntax
        case .jsonDepth: strings.ruleJSONDepth
        case .jsonValues: strings.ruleJSONValues
        case .jsonObject: strings.ruleJSONObject
        case .emptyFile: strings.fileEmpty
        case .noOrders: strings.fileWithoutOrders
        case .workbook: strings.fileWorkbook
        case .oldWorkbook: strings.fileOldWorkbook
        case .compressedFile: strings.fileCompressed
        case .archive7z: strings.file7zArchive
        case .archiveRAR: strings.fileRARArchive
        case .pdf: strings.filePDF
        case .sqliteDatabase: strings.fileDatabase
        case .rtf: strings.fileRTF
        case .encoding: strings.fileEncoding
        case .utf32: strings.fileUTF32
        case .zeroCharacter: strings.fileZeroCharacter
        case .unclosedQuote: strings.fileUnclosedQuote
        case .textAfterQuote: strings.fileTextAfterQuote
        case .tooManyColumns: strings.fileTooManyColumns
        case .valueTooLong: strings.fileValueTooLong
        case .rowTooLong: strings.fileRowTooLong
        case .tooManyRows: strings.fileTooManyRows
        case .jsonArray: strings.fileJSONArray
        case .missingColumns: strings.fileMissingColumns
        case .duplicateColumn: strings.fileDuplicateColumn
        }
    }
}
