import OrderFiles
import Testing

@Suite("CSV parser")
struct CSVParserTests {
    @Test(arguments: ["\n", "\r\n", "\r"])
    func `Lines end with LF, CRLF or CR, and the last needs no end`(lineEnd: String) throws {
        let lines = ["a,b", "1,2", "", "3,"].joined(separator: lineEnd)

        #expect(try rows(lines) == [["a", "b"], ["1", "2"], [""], ["3", ""]])
        #expect(try rows(lines + lineEnd) == [["a", "b"], ["1", "2"], [""], ["3", ""]])
    }

    @Test func `Quoted fields contain delimiters, quotes and line ends`() throws {
        #expect(try rows("a,b\n\"x,y\",\"one\r\ntwo\"\n\"\"\"q\"\"\",\"\"\n") == [["a", "b"], ["x,y", "one\r\ntwo"], ["\"q\"", ""]])
        #expect(try rows("a,b\n\"\"\"\"\"\",\"\"\"\"") == [["a", "b"], ["\"\"", "\""]])
    }

    @Test func `A quote inside of an unquoted field is an ordinary character`() throws {
        #expect(try rows("a,b\n5\" pipe, \"x\"\n") == [["a", "b"], ["5\" pipe", " \"x\""]])
    }

    @Test(arguments: [
        ("a,b;c,d\n1,2;3,4", [["a", "b;c", "d"], ["1", "2;3", "4"]]),
        ("a;b;c,d\n1;2;3", [["a", "b", "c,d"], ["1", "2", "3"]]),
        ("a\tb\n1\t2,5", [["a", "b"], ["1", "2,5"]]),
        ("\"a;;;\nb\",c\n1,2", [["a;;;\nb", "c"], ["1", "2"]]),
        ("\n\na;b\n1;2", [[""], [""], ["a", "b"], ["1", "2"]]),
        ("sep=;\na,b;c\n1;2", [["a,b", "c"], ["1", "2"]]),
        ("SEP=|\r\na|b\r\n1|2", [["a", "b"], ["1", "2"]]),
        ("sep=;", []),
        ("alone\n1", [["alone"], ["1"]]),
    ])
    func `The delimiter is that of the first line, or the most frequent one of the header`(text: String, expected: [[String]]) throws {
        #expect(try rows(text) == expected)
    }

    @Test func `A given delimiter is not detected`() throws {
        #expect(try rows("a,b;c\n1,2;3", CSVParser(delimiter: .semicolon)) == [["a,b", "c"], ["1,2", "3"]])
    }

    @Test func `Rows have numbers as in a spreadsheet, and the lines on which they begin`() throws {
        var positions: [[Int]] = []
        var parser = CSVParser()

        try parser.parse([UInt8]("sep=,\r\na,b\r\n\"1\r\n\n2\",\"\r\"\r\n\r\n3,4".utf8).span) { positions.append([$0.number, $0.line]) }
        try parser.finish { positions.append([$0.number, $0.line]) }

        #expect(positions == [[1, 2], [2, 3], [3, 7], [4, 8]])
    }

    @Test(arguments: [
        ("a,b\n1,\"x\n2,y\n", "line 2, column 3: the quote that opens here is not closed"),
        ("a,b\n\"x\ny\"z,1\n", "line 3, column 3: text follows a closing quote, which was opened at line 2, column 1"),
        ("a,b\n\"ü\" ,1\n", "line 2, column 4: text follows a closing quote"),
        ("a,b\n1,2,3,4,5\n", "line 2, column 9: a row has more than 4 columns"),
        ("a,b\n1,12345678901\n", "line 2, column 3: a value has more than 10 bytes"),
        ("a,b\n1,2\n12345678,12345678,12345678,12345678\n", "line 3: the row that begins here has more than 32 bytes"),
        ("a,b\n1,\"2345678901234567890123456789012345", "line 2, column 3: the quote that opens here is not closed"),
    ])
    func `An error says its line and column`(text: String, expected: String) {
        var limits = CSVLimits()
        (limits.fieldCount, limits.fieldSize, limits.rowSize) = (4, 10, 32)

        let error = #expect(throws: OrderFileError.self) { try rows(text, CSVParser(limits: limits)) }

        #expect(error?.description.hasPrefix(expected) == true, "\(error?.description ?? "")")
    }

    @Test func `A row of exactly the largest size is read`() throws {
        var limits = CSVLimits()
        limits.rowSize = 8

        #expect(try rows("a,b\n1,34567\n", CSVParser(limits: limits)) == [["a", "b"], ["1", "34567"]])
        #expect(try rows("a,b\n1,345678", CSVParser(limits: limits)) == [["a", "b"], ["1", "345678"]])
        #expect(throws: OrderFileError.self) { try rows("a,b\n1,345678\n", CSVParser(limits: limits)) }
    }

    @Test func `A retained row does not change`() throws {
        var parser = CSVParser()
        var retained: [CSVRow] = []

        for part in [UInt8]("a,b\n1,\"2\"\"\"\n3,4\n".utf8).parts(of: 3) { try parser.parse(part.span) { retained.append($0) } }

        #expect(retained.map { [$0.text(0), $0.text(1)] } == [["a", "b"], ["1", "2\""], ["3", "4"]])
    }

    private func rows(_ text: String, _ parser: CSVParser = CSVParser()) throws -> [[String]] {
        var parser = parser
        var rows: [[String]] = []
        func append(_ row: CSVRow) { rows.append((0..<row.fieldCount).map { row.text($0) }) }
        try parser.parse([UInt8](text.utf8).span) { append($0) }
        try parser.finish { append($0) }
        return rows
    }
}
