import OrderFiles
import Testing

/// A file that is damaged, malicious or of another kind, and the outcome of reading it.
struct HostileFile: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// The error of the file begins with a text.
        case error(String)
        /// Each row is faulty, and the first fault contains a text.
        case errors(count: Int, String)
        /// All rows are orders with the same title.
        case orders(count: Int, title: String)
    }

    /// The largest number of rows, which bounds the time of the tests.
    static let rowLimit = 20_000

    let name: String
    /// The parts of the file, which are generated as they are read.
    let parts: @Sendable () -> AnySequence<[UInt8]>
    let outcome: Outcome
    /// Whether the file is small enough to be read byte by byte.
    let isSmall: Bool

    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ outcome: Outcome) {
        self.name = name
        parts = { AnySequence([bytes]) }
        self.outcome = outcome
        isSmall = bytes.count < 100_000
    }

    init(_ name: String, _ text: String, _ outcome: Outcome) {
        self.init(name, [UInt8](text.utf8), outcome)
    }

    /// A large file: a beginning, a repeated part and an end.
    init(_ name: String, _ beginning: String, repeating part: String, count: Int, end: String = "", _ outcome: Outcome) {
        self.name = name
        let size = max(1, 65_536 / part.utf8.count)
        let chunk = [UInt8](String(repeating: part, count: size).utf8)
        // All repeated parts share the memory of one.
        let repeated = Array(repeating: chunk, count: max(1, count / size))
        parts = { AnySequence([[UInt8](beginning.utf8)] + repeated + [[UInt8](end.utf8)]) }
        self.outcome = outcome
        isSmall = false
    }
}

extension HostileFile {
    private static let header = "title,price,currency,address\n"
    private static let row = "Milk,1,EUR,Here\n"
    private static let gigabyte = 1_000_000_000
    private static let encoding = "the file is not UTF-8 or UTF-16: save it as \"CSV UTF-8\""

    static let all = empty + binary + encodings + quotes + sizes + headers + rows + json

    private static let empty = [
        HostileFile("no bytes", "", .error("the file is empty")),
        HostileFile("a byte order mark only", [0xEF, 0xBB, 0xBF], .error("the file is empty")),
        HostileFile("a byte order mark of UTF-16 only", [0xFF, 0xFE], .error("the file is empty")),
        HostileFile("blanks only", "\n \r\n\t\r", .error("the file is empty")),
        HostileFile("a header only", header, .error("the file contains no orders")),
        HostileFile("a header without a line end", "title,price,currency,address", .error("the file contains no orders")),
        HostileFile("a header and empty rows", header + "\n,,,\n\r\n", .error("the file contains no orders")),
        HostileFile("a line that names the delimiter only", "sep=;\r\n", .error("the file is empty")),
        HostileFile("1 GB of line ends", "", repeating: "\n", count: gigabyte, .error("the file has more than \(rowLimit) rows")),
        HostileFile("1 GB of spaces", "", repeating: " ", count: gigabyte, .error("line 1: the row that begins here has more than")),
    ]

    private static let binary = [
        HostileFile("a workbook", [0x50, 0x4B, 0x03, 0x04, 0x14, 0, 6, 0, 8], .error("the file is an Excel or OpenDocument workbook")),
        HostileFile("an old workbook", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .error("the file is an Excel 97 workbook")),
        HostileFile("a gzip bomb", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xEC, 0xC1], .error("the file is compressed with gzip")),
        HostileFile("bzip2", [0x42, 0x5A, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26], .error("the file is compressed with bzip2")),
        HostileFile("Zstandard", [0x28, 0xB5, 0x2F, 0xFD, 0, 0, 0, 0], .error("the file is compressed with zstandard")),
        HostileFile("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4], .error("the file is compressed with xz")),
        HostileFile("7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], .error("the file is a 7z archive")),
        HostileFile("RAR", "Rar!\u{1A}\u{7}\u{1}", .error("the file is a RAR archive")),
        HostileFile("a PDF document", "%PDF-1.7\n1 0 obj", .error("the file is a PDF document")),
        HostileFile("an SQLite database", "SQLite format 3\0", .error("the file is an SQLite database")),
        HostileFile("an RTF document", #"{\rtf1\ansi}"#, .error("the file is an RTF document")),
        HostileFile("an HTML page", "<!DOCTYPE html>\n<table><tr>", .error("the first row must name the columns; missing: \"title\"")),
        HostileFile("a picture", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .error("line 1, column 1: " + encoding)),
        HostileFile(
            "a program", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0], .error("line 1, column 8: the file contains a zero character")),
    ]

    private static let encodings = [
        HostileFile(
            "Latin-1", [UInt8]((header + "K").utf8) + [0xE4] + [UInt8]("se,1,EUR,Here\n".utf8), .error("line 2, column 2: " + encoding)),
        HostileFile("Windows-1252 in the header", [UInt8]("title,pr".utf8) + [0x80, 0x2C], .error("line 1, column 9: " + encoding)),
        HostileFile("an overlong slash", [UInt8]((header + row).utf8) + [0xC0, 0xAF], .error("line 3, column 1: " + encoding)),
        HostileFile("a surrogate in UTF-8", [UInt8](header.utf8) + [0xED, 0xA0, 0x80, 0x2C], .error("line 2, column 1: " + encoding)),
        HostileFile(
            "a character above U+10FFFF", [UInt8]((header + "a").utf8) + [0xF4, 0x90, 0x80, 0x80], .error("line 2, column 2: " + encoding)),
        HostileFile(
            "a character that is cut off", [UInt8]((header + "Milk,1,EUR,H").utf8) + [0xF0, 0x9F, 0x98],
            .error("line 2, column 13: " + encoding)),
        HostileFile(
            "an unpaired surrogate in UTF-16", [0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0x61, 0], .error("line 1, column 2: " + encoding)),
        HostileFile("half a unit of UTF-16", [0xFE, 0xFF, 0, 0x61, 0], .error("line 1, column 2: " + encoding)),
        HostileFile("UTF-32", [0xFF, 0xFE, 0, 0, 0x74, 0, 0, 0], .error("the file is UTF-32")),
        HostileFile("UTF-32 without a byte order mark", [0, 0, 0, 0x74, 0, 0, 0, 0x69], .error("the file is UTF-32")),
        HostileFile(
            "a zero character", header + row + "Mi\0lk,1,EUR,Here\n", .error("line 3, column 3: the file contains a zero character")),
        HostileFile("1 GB of zeros", "", repeating: "\0", count: gigabyte, .error("line 1, column 1: the file contains a zero character")),
        HostileFile(
            "another encoding behind a valid row", [UInt8]((header + row).utf8) + .utf16(row, isLittleEndian: true),
            .error("line 3, column 2: the file")),
        HostileFile("two byte order marks", "\u{FEFF}\u{FEFF}" + header + row, .orders(count: 1, title: "Milk")),
        HostileFile("CR only", (header + row).replacing("\n", with: "\r"), .orders(count: 1, title: "Milk")),
        HostileFile(
            "mixed line ends", header + row + "Milk,1,EUR,Here\r\nMilk,1,EUR,Here\rMilk,1,EUR,Here", .orders(count: 4, title: "Milk")),
    ]

    private static let quotes = [
        HostileFile(
            "an unterminated quote", header + row + "\"Milk,1,EUR,Here\n",
            .error("line 3, column 1: the quote that opens here is not closed")),
        HostileFile(
            "a quote before the end", header + "Milk,1,EUR,\"", .error("line 2, column 12: the quote that opens here is not closed")),
        HostileFile("an unterminated quote in the header", "\"title,price\n" + row, .error("line 1, column 1: the quote that opens")),
        HostileFile("text behind a quote", header + "\"Milk\" x,1,EUR,Here\n", .error("line 2, column 7: text follows a closing quote")),
        HostileFile(
            "an odd number of quotes", header + "\"Milk\"\"\",\"\"\"1,EUR,Here\n", .error("line 2, column 10: the quote that opens")),
        HostileFile(
            "1 GB behind a quote", header + "\"", repeating: "x", count: gigabyte, .error("line 2, column 1: the quote that opens")),
        HostileFile(
            "1 GB of lines behind a quote", header + "\"", repeating: "x\n", count: gigabyte / 2, .error("line 2, column 1: the quote")),
        HostileFile(
            "quotes only", String(repeating: "\"", count: 999), .error("line 1, column 1: the quote that opens here is not closed")),
        HostileFile("1 GB of quotes", "", repeating: "\"", count: gigabyte, .error("line 1: the row that begins here has more than")),
        HostileFile(
            "quotes around all", "\"title\",\"price\",\"currency\",\"address\"\n\"Milk\",\"1\",\"EUR\",\"He\nre\"\n",
            .orders(count: 1, title: "Milk")),
    ]

    private static let sizes = [
        HostileFile(
            "a line of 1 GB", header, repeating: "x", count: gigabyte, .error("line 2: the row that begins here has more than 262144 bytes")
        ),
        HostileFile(
            "a header of 1 GB", "", repeating: "x", count: gigabyte, .error("line 1: the row that begins here has more than 262144 bytes")),
        HostileFile(
            "a million columns", "title", repeating: ",x", count: 1_000_000, end: "\n",
            .error("line 1, column 517: a row has more than 256 columns")),
        HostileFile(
            "a million empty columns", "", repeating: ",", count: 1_000_000, .error("line 1, column 257: a row has more than 256 columns")),
        HostileFile(
            "a row of a million columns", header, repeating: "1;,", count: 1_000_000,
            .error("line 2, column 769: a row has more than 256")),
        HostileFile(
            "a value of 200 kB", header + String(repeating: "x", count: 200_000) + ",1,EUR,Here\n",
            .error("line 2, column 1: a value has more")),
        HostileFile(
            "too many rows", header, repeating: row, count: 30_000, .error("the file has more than \(rowLimit) rows: split it")),
        HostileFile(
            "1 GB of empty rows", header, repeating: ",,,\r\n", count: gigabyte / 5, .error("the file has more than \(rowLimit) rows")),
        HostileFile(
            "a long text", header + String(repeating: "x", count: 2_001) + ",1,EUR,Here\n",
            .errors(count: 1, "must not exceed 2000 bytes")),
    ]

    private static let headers = [
        HostileFile(
            "rows without a header", row + row,
            .error("the first row must name the columns; missing: \"title\", \"price\", \"currency\", \"address\"")),
        HostileFile(
            "a header without required columns", "title,address\nMilk,Here\n",
            .error("the first row must name the columns; missing: \"price\"")),
        HostileFile(
            "a column twice", "title,price,Price,currency,address\n", .error("the columns \"price\" and \"Price\" both contain \"price\"")),
        HostileFile(
            "two columns of one meaning", "title,name,price,currency,address\n", .error("the columns \"title\" and \"name\" both contain")),
        HostileFile(
            "semicolons with a line that names commas", "sep=,\ntitle;price;currency;address\n",
            .error("the first row must name the columns")),
        HostileFile(
            "escape sequences in the header", "\u{1B}[2J,\u{202E}x\n",
            .error("the first row must name the columns; missing: \"title\", \"price\", \"currency\", \"address\"; found: \"[2J\", \"x\"")),
    ]

    private static let rows = [
        HostileFile("formulas", header + "=cmd|' /C calc'!A0,=1+1,EUR,Here\n", .errors(count: 1, "must be an amount such as 42.50")),
        HostileFile(
            "a formula as a title", header + "\"=HYPERLINK(\"\"http://x\"\")\",1,EUR,Here\n",
            .orders(count: 1, title: "=HYPERLINK(\"http://x\")")),
        HostileFile("an escaped formula", header + "'=1+1,1,EUR,'@Here\n", .orders(count: 1, title: "=1+1")),
        HostileFile(
            "a huge price", header + "Milk,\(String(repeating: "9", count: 5_000)),EUR,Here\n", .errors(count: 1, "must be an amount")),
        HostileFile(
            "fields that are missing", header + "Milk\nMilk,1\nMilk,1,EUR\n",
            .errors(count: 3, "must have as many fields as the header (4), not 1")),
        HostileFile(
            "fields that are too many", header + "Milk,1,EUR,Here,,\n",
            .errors(count: 1, "must have as many fields as the header (4), not 6")),
        HostileFile(
            "control characters", header + "\u{1B}[31mMilk\u{7},\u{8},EUR,Here\n",
            .errors(count: 1, "\" \" must be an amount such as 42.50")),
        HostileFile("digits of another script", header + "Milk,४२,EUR,Here\n", .errors(count: 1, "\"४२\" must be an amount such as 42.50")),
        HostileFile("invisible text", header + "\u{3000}\u{2003},1,EUR,Here\n", .errors(count: 1, "must not be empty")),
    ]

    private static let json = [
        HostileFile("a JSON array", "[{\"title\":\"Milk\"}]", .error("the file is a JSON array: write one object per line")),
        HostileFile("JSON on several lines", "{\n\"title\":\"Milk\"\n}\n", .errors(count: 3, "expected a quote at character 2")),
        HostileFile(
            "deep JSON", "{\"a\":" + String(repeating: "[", count: 100_000), .errors(count: 1, "more than 32 nested arrays and objects")),
        HostileFile(
            "deep objects", String(repeating: "{\"a\":", count: 40_000), .errors(count: 1, "more than 32 nested arrays and objects")),
        HostileFile("a million values", "{\"a\":[" + String(repeating: "0,", count: 100_000), .errors(count: 1, "more than 8192 values")),
        HostileFile(
            "a line of JSON of 1 GB", "{\"title\":\"", repeating: "x", count: gigabyte,
            .error("line 1: the row that begins here has more than")),
        HostileFile(
            "too many lines of JSON", "", repeating: "{}\n", count: 30_000, .error("the file has more than \(rowLimit) rows: split it")),
        HostileFile(
            "a huge number", "{\"price\":1e999999999,\"latitude\":-1e999999999}", .errors(count: 1, "\"1e999999999\" must be an amount")),
        HostileFile("an unpaired surrogate in JSON", #"{"title":"\uD800"}"#, .errors(count: 1, "the other half of a surrogate pair")),
        HostileFile(
            "a zero character in JSON", #"{"title":"a\u0000","price":1,"currency":"EUR","address":"Here"}"#,
            .errors(count: 1, "must not contain U+0000")),
        HostileFile(
            "a member twice", #"{"title":"a","title":"b","price":1,"currency":"EUR","address":"Here"}"#,
            .errors(count: 1, "must occur only once")),
        HostileFile(
            "other literals", "{\"a\":NaN}\n{\"a\":undefined}\n{a:1}\n{'a':1}\n{\"a\":1,}\n{\"a\":1}//\n",
            .errors(count: 6, "expected a value at character 6")),
        HostileFile("a control character in JSON", "{\"title\":\"a\u{1}b\"}", .errors(count: 1, "control characters are written as")),
        HostileFile("an empty object", "{}\n{}", .errors(count: 2, "column \"title\" must not be empty")),
        HostileFile(
            "a destination of another type", #"{"destination":[1],"title":"a","price":1,"currency":"EUR"}"#,
            .errors(count: 1, "\"[…]\" must be a text in quotes")),
        HostileFile("CSV behind JSON", "{\"title\":1}\n" + header + row, .errors(count: 3, "must be a text in quotes")),
        HostileFile(
            "JSON in UTF-16 that is cut off", .utf16("{\"title\":\"a", isLittleEndian: true) + [0x61],
            .error("line 1, column 12: " + encoding)),
    ]
}
