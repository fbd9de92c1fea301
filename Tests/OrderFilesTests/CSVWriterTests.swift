import OrderFiles
import Testing

@Suite("CSV writer")
struct CSVWriterTests {
    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("a;b", "a;b"), ("\"", "\"\"\"\""), ("one\ntwo", "\"one\ntwo\""), (" x", "\" x\""),
        ("x\t", "\"x\t\""), ("", "\"\""),
    ])
    func `Special characters and blanks at an end are in quotes`(text: String, expected: String) {
        #expect(written([text]) == expected + "\r\n")
    }

    @Test func `A missing value has no quotes`() {
        #expect(written(["a", nil, "", nil]) == "a,,\"\",\r\n")
    }

    @Test(arguments: [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"), ("@SUM(1)", "'@SUM(1)"), ("+1", "'+1"), ("-1+1", "'-1+1"), ("-", "'-"),
        ("--1", "'--1"), ("-+1", "'-+1"),
        ("\t=1", "\"'\t=1\""), ("\r=1", "\"'\r=1\""), ("\n=1", "\"'\n=1\""), ("＝1", "'＝1"), ("＠a", "'＠a"), ("'=1", "''=1"),
        ("''-1", "'''-1"), ("=1,\"2\"", "\"'=1,\"\"2\"\"\""),
    ])
    func `A formula gets an apostrophe, as does the escape of one`(text: String, expected: String) {
        #expect(written([text]) == expected + "\r\n")
    }

    @Test(arguments: ["-74.05", "-1", "-1e-05", "'t Hooft", "'", "''", "1=2", "a@b", "’=1", "＃1"])
    func `Negative numbers and other texts are written as they are`(text: String) {
        #expect(written([text]) == text + "\r\n")
    }

    private func written(_ cells: [String?]) -> String {
        var csv = CSVWriter()
        for cell in cells { csv.field(cell) }
        csv.endRow()
        return String(decoding: csv.bytes, as: UTF8.self)
    }
}
