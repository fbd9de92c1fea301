import Foundation
import JSONWriting
import OrderAPI
import OrderFiles
import OrderStorage
import Testing

@testable import Window

/// The rules of orders and of files, as the API sends them and as pages word them.
@Suite struct RuleTextsTests {
    private static let problems: [RowProblem] =
        RowProblem.allSamples + OrderContentRules.Violation.allCases.map(RowProblem.content) + TimeProblem.allSamples.map(RowProblem.time)
        + JSONProblem.allSamples.map(RowProblem.json) + JSONExpectation.allCases.map { .json(.syntax(expected: $0, column: 10)) }
    /// The errors of files that come through the API, which does not read them from a disk.
    private static let errors: [OrderFileError] =
        OrderFileError.allSamples + FileSignature.allCases.map(OrderFileError.notText) + [.missingColumns([.title], found: [])]

    private func rule(_ rule: BrokenRule) throws -> APIRule {
        var json = JSONWriter(.unicode)
        json.object { rule.write(to: &$0) }
        return try decoded(json.text)
    }

    private func decoded(_ json: String) throws -> APIRule { try JSONDecoder().decode(APIRule.self, from: Data(json.utf8)) }

    /// Returns a text with numbers as the command line writes them.
    private func withoutGrouping(_ text: String?) -> String? { text?.replacing(/(\d),(?=\d{3})/) { "\($0.1)" } }

    @Test(arguments: problems) func `The fault of a row is that of the command line in English`(problem: RowProblem) throws {
        let text = Texts(.english).requirement(try rule(problem.rule))

        #expect(withoutGrouping(text) == problem.requirement)
    }

    @Test(arguments: errors) func `The error of a file is that of the command line in English`(error: OrderFileError) throws {
        let text = Texts(.english).requirement(try rule(error.rule))

        #expect(withoutGrouping(text) == "\(error)")
    }

    @Test func `Every rule has a text in every language, with its facts and closed isolates`() throws {
        for rule in try (Self.problems.map(\.rule) + Self.errors.map(\.rule)).map(rule) {
            let texts = Language.allCases.map { Texts($0).requirement(rule) ?? "" }

            #expect(Set(texts).count == Language.allCases.count, "\(texts)")
            #expect(texts[2].unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }, "\(texts[2])")
            #expect(texts[3].unicodeScalars.contains { (0x0600...0x06FF).contains($0.value) }, "\(texts[3])")
            #expect(texts[3].count { $0 == "\u{2068}" } == texts[3].count { $0 == "\u{2069}" }, "\(texts[3])")
            for case .number(let number) in rule.facts.values {
                for (language, text) in zip(Language.allCases, texts) { #expect(text.contains(Texts(language).number(number)), "\(text)") }
            }
        }
    }

    @Test func `Every code that pages word is one of the API`() {
        let codes = Set((Self.problems.map(\.rule) + Self.errors.map(\.rule)).map(\.code))

        let others = Set(APIRule.Code.allCases.map(\.rawValue)).subtracting(codes)

        // Those of requests, which no file has.
        #expect(others == ["whole-number", "courier", "time-zone"])
    }

    @Test(arguments: [
        #"{"code":"new-rule","limit":3}"#, #"{"code":"text-too-long"}"#, #"{"code":"text-too-long","limit":{}}"#,
        #"{"code":"json-syntax","expected":"surprise","character":1}"#, #"{"limit":3}"#,
    ])
    func `An unknown rule or fact, and a missing one, have no text`(json: String) throws {
        #expect(Texts(.german).requirement(try decoded(json)) == nil)
    }

    @Test func `Numbers and names are written as the language writes them`() throws {
        let size = try rule(BrokenRule("text-too-long", .number("limit", 2_000)))
        let zone = try rule(BrokenRule("skipped-time", .text("timeZone", "Europe/Berlin")))

        #expect(Texts(.german).requirement(size) == "darf höchstens 2.000 Byte lang sein")
        #expect(Texts(.arabic).requirement(zone)?.contains("\u{2068}Europe/Berlin\u{2069}") == true)
        #expect(Texts(.german).unknownColumn("colour") == "Die Spalte „colour“ ist unbekannt und wurde übergangen")
    }
}

// MARK: - Samples

extension RowProblem: EnumerableError {
    static func next(after problem: RowProblem?) -> RowProblem? {
        switch problem {
        case nil: .content(.empty)
        case .content: .fieldCount(3, expected: 4)
        case .fieldCount: .duplicateExternalID(firstRow: 1_200)
        case .duplicateExternalID: .decimalComma
        case .decimalComma: .groupingSeparator
        case .groupingSeparator: .ambiguousComma
        case .ambiguousComma: .notANumber
        case .notANumber: .coordinateIncomplete
        case .coordinateIncomplete: .time(.unknownForm)
        case .time: .items
        case .items: .itemArray
        case .itemArray: .json(.notAnObject)
        case .json: .duplicateMember
        case .duplicateMember: .notText
        case .notText: nil
        }
    }
}

extension TimeProblem: EnumerableError {
    static func next(after problem: TimeProblem?) -> TimeProblem? {
        switch problem {
        case nil: .unknownForm
        case .unknownForm: .dateWithoutTime
        case .dateWithoutTime: .ambiguousDate
        case .ambiguousDate: .outOfRange
        case .outOfRange: .skipped(timeZone: "Pacific/Apia")
        case .skipped: nil
        }
    }
}

extension JSONProblem: EnumerableError {
    static func next(after problem: JSONProblem?) -> JSONProblem? {
        switch problem {
        case nil: .syntax(expected: .value, column: 7)
        case .syntax: .depthExceeded(limit: 32)
        case .depthExceeded: .tooManyValues(limit: 8_192)
        case .tooManyValues: .notAnObject
        case .notAnObject: nil
        }
    }
}

extension OrderFileError: EnumerableError {
    private static let position = TextPosition(line: 1_204, column: 7)

    static func next(after error: OrderFileError?) -> OrderFileError? {
        switch error {
        case nil, .unreadable: .empty
        case .empty: .noRows
        case .noRows: .notText(.pdf)
        case .notText: .encoding(position)
        case .encoding: .utf32
        case .utf32: .nullCharacter(position)
        case .nullCharacter: .unterminatedQuote(opening: position)
        case .unterminatedQuote: .textAfterQuote(position, opening: TextPosition(line: 3, column: 2))
        case .textAfterQuote: .tooManyFields(position, limit: 256)
        case .tooManyFields: .fieldTooLong(position, limit: 131_072)
        case .fieldTooLong: .rowTooLong(line: 9, limit: 262_144)
        case .rowTooLong: .tooManyRows(limit: 1_000_000)
        case .tooManyRows: .jsonArray
        case .jsonArray: .missingColumns([.title, .price], found: ["name", "cost"])
        case .missingColumns: .duplicateColumn(.title, "title", "name")
        case .duplicateColumn: nil
        }
    }
}
