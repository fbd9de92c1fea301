import OrderFiles
import OrderStorage
import Testing

@Suite("Files of faulty rows")
struct RejectedRowFileTests {
    private static let csv = "externalId;title;price;currency;address\nA;Milk;x;EUR;Here\nB;Bread;1;EUR;There\nC;\"\"\"a\nb\"\"\";2\n"

    @Test func `The faulty rows are as they were, behind their problems`() throws {
        let file = try Self.file(of: read(Self.csv))

        #expect(file.starts(with: CSVWriter.byteOrderMark))
        #expect(
            String(decoding: file.dropFirst(3), as: UTF8.self)
                == [
                    "problem;externalId;title;price;currency;address",
                    "\"column \"\"price\"\": \"\"x\"\" must be an amount such as 42.50\";A;Milk;x;EUR;Here",
                    "the row must have as many fields as the header (5), not 3: put values with delimiters, quotes or line ends in quotes"
                        + ";C;\"\"\"a\nb\"\"\";2", "",
                ].joined(separator: "\r\n"))
    }

    @Test func `A mended file is imported, and the rest of it becomes a file again`() throws {
        let file = String(decoding: try Self.file(of: read(Self.csv)), as: UTF8.self)

        let outcome = read(file.replacing(";x;", with: ";3,50;"))

        #expect(outcome.orders.map(\.externalID) == ["A"] && outcome.contents.first?.price == "3.50" && outcome.notices == [])
        #expect(outcome.rejectedRows.map { String(decoding: $0.source, as: UTF8.self) } == ["C;\"\"\"a\nb\"\"\";2"])
        let rest = String(decoding: try Self.file(of: outcome), as: UTF8.self)
        #expect(rest.hasPrefix("\u{FEFF}problem;externalId;title;price;currency;address\r\n"))
    }

    @Test func `A line that names the delimiter stays`() throws {
        let file = try Self.file(of: read("sep=|\ntitle|price|currency|address\nMilk|x|EUR|Here\n"))

        #expect(String(decoding: file.dropFirst(3), as: UTF8.self).hasPrefix("sep=|\r\nproblem|title|price|currency|address\r\n"))
        #expect(read(file).rejectedRows.map { String(decoding: $0.source, as: UTF8.self) } == ["Milk|x|EUR|Here"])
    }

    @Test func `Lines of JSON get a member with the problem, and other lines become one`() throws {
        let lines = ["{\"title\":\"a\"}", " { }", "{\"title\":", "7", "null \"x\""]
        let outcome = read(lines.joined(separator: "\n"), options: .test(format: .jsonLines))

        let file = String(decoding: try Self.file(of: outcome), as: UTF8.self).split(separator: "\n")

        #expect(file.count == 5 && file.allSatisfy { $0.hasPrefix("{\"problem\":\"") })
        #expect(file[0].hasSuffix(",\"title\":\"a\"}") && file[1].hasSuffix("\" }") && file[2].hasSuffix("\",\"title\":"))
        #expect(file[3].hasSuffix(",\"line\":\"7\"}") && file[4].hasSuffix(",\"line\":\"null \\\"x\\\"\"}"))
    }

    @Test func `A line of JSON that is still faulty has only its last problem`() throws {
        let lines = ["{\"title\":\"a\"}", "{\"title\":", "{}"]
        let first = try Self.file(of: read(lines.joined(separator: "\n")))

        #expect(read(first).rejectedRows.map { String(decoding: $0.source, as: UTF8.self) } == lines)
        let second = String(decoding: try Self.file(of: read(first)), as: UTF8.self)
        #expect(second.matches(of: /"problem":/).count == 3)
    }

    private static func file(of outcome: ReadOutcome) throws -> [UInt8] {
        let file = RejectedRowFile(try #require(outcome.layout))
        return file.header + outcome.rejectedRows.flatMap { file.row($0) }
    }
}
