import Foundation
import Testing

@testable import Orders

/// Reading of lists in all formats.
@Suite struct OrderListTests {
    /// Returns rows as `id address` or `id: error`.
    private func rows(_ document: [UInt8]) throws -> [String] {
        try OrderReference.list(propertyList: document).map { reference in
            do { return "\(reference.id) \(try reference.url())" } catch { return "\(reference.id): \(error)" }
        }
    }

    private func rows(_ text: String) throws -> [String] { try rows(Array(text.utf8)) }

    private func list(_ body: String) -> String { "<plist version=\"1.0\"><dict>\(body)</dict></plist>" }

    // MARK: Entries

    @Test func `Entries are sorted by id, numbers first`() throws {
        let rows = try rows(
            list(
                "<key>10</key><string>http://a.org/10</string><key>b</key><string>http://a.org/b</string><key>9</key><string> http://a.org/9\n</string><key>a</key><string>x:</string>"
            ))

        #expect(
            rows == [
                "9 http://a.org/9", "10 http://a.org/10", "a: the key is not a number: a",
                "b: the key is not a number: b",
            ])
    }

    @Test(arguments: [
        ("<string></string>", "the URL is missing"), ("<string>  \n </string>", "the URL is missing"),
        ("<string/>", "the URL is missing"),
        ("", "the URL is missing"),
        ("<integer>5</integer>", "expected a URL string, found <integer>"),
        ("<array><string>http://a.org</string></array>", "expected a URL string, found <array>"),
        ("<dict><key>url</key><string>http://a.org</string></dict>", "expected a URL string, found <dict>"),
        ("<true/>", "expected a URL string, found <true>"),
        ("<data>aHR0cDovL2E=</data>", "expected a URL string, found <data>"),
        ("<string>http://<b>a.org</b></string>", "expected a URL string, found <string>"),
        ("<string>order-1.xml</string>", "the URL has no host: order-1.xml"),
        ("<string>/order-1.xml</string>", "the URL has no host: /order-1.xml"),
        ("<string>//a.org/order-1.xml</string>", "the URL has no host: //a.org/order-1.xml"),
        ("<string>ftp://a.org/1</string>", "the URL scheme must be http or https, not ftp:"),
        ("<string>file:///etc/passwd</string>", "the URL scheme must be http or https, not file:"),
        ("<string>JavaScript:alert(1)</string>", "the URL scheme must be http or https, not javascript:"),
        ("<string>data:text/xml,</string>", "the URL scheme must be http or https, not data:"),
        ("<string>http://a.org:port/</string>", "invalid URL: http://a.org:port/"),
    ])
    func `An entry without a valid URL is a row with an error`(value: String, reason: String) throws {
        let rows = try rows(list("<key>1</key>\(value)<key>2</key><string>HTTPS://a.org/2</string>"))

        #expect(rows == ["1: \(reason)", "2 HTTPS://a.org/2"])
    }

    @Test func `An entry with a URL over the limit is a row with an error`() throws {
        let rows = try rows(list("<key>1</key><string>http://a.org/\(String(repeating: "a", count: 8_192))</string>"))

        #expect(rows == ["1: the URL exceeds the limit of 8192 bytes"])
    }

    @Test(arguments: ["01", " 1 ", "+1", "0000000000000000000000000000001"])
    func `A key that parses as a number is that number unless another entry has it`(key: String) throws {
        #expect(try rows(list("<key>\(key)</key><string>http://a.org/1</string>")) == ["1 http://a.org/1"])
    }

    @Test func `The canonical form of a number takes precedence over other forms`() throws {
        let rows = try rows(
            list(
                "<key>01</key><string>http://a.org/b</string><key>1</key><string>http://a.org/a</string><key>001</key><string>http://a.org/c</string>"
            ))

        #expect(rows == ["1 http://a.org/a", "001: duplicate entry for 001", "01: duplicate entry for 01"])
    }

    @Test func `A duplicate key gives two rows unless the entries are equal`() throws {
        let entry = "<key>1</key><string>http://a.org/a</string>"
        let rows = try rows(
            list(
                entry + entry + "<key>1</key><string>http://a.org/b</string><key>x</key><true/><key>x</key><false/>" + entry
                    + "<key>1</key><string>http://a.org/c</string>"))

        #expect(
            rows == [
                "1 http://a.org/a", "1 (2): duplicate entry for 1", "1 (3): duplicate entry for 1",
                "x: the key is not a number: x", "x (2): duplicate entry for x",
            ])
    }

    @Test func `Two equal entries give one row`() throws {
        let entry = "<key>1</key><string>http://a.org/a</string>"

        #expect(try rows(list(entry + entry)) == ["1 http://a.org/a"])
    }

    @Test func `A key that looks like a disambiguated one stays distinct`() throws {
        let rows = try rows(
            list("<key>1 (2)</key><true/><key>1</key><string>http://a.org/a</string><key>1</key><string>http://a.org/b</string>"))

        #expect(Set(rows.map { $0.prefix { $0 != ":" && $0 != "h" } }) == ["1 ", "1 (2)", "1 (3)"])
    }

    @Test func `A key is truncated to 200 characters and stays distinct`() throws {
        let key = String(repeating: "k", count: 200)
        let ids = try OrderReference.list(propertyList: Array(list("<key>\(key)a</key><true/><key>\(key)b</key><true/>").utf8)).map(\.id)

        #expect(ids == [OrderID(key), OrderID("\(key) (2)")])
    }

    @Test func `An empty key is a row with an error`() throws {
        #expect(try rows(list("<key/><string>http://a.org</string>")) == [": the key is not a number: "])
    }

    @Test func `The rows do not depend on the order of the entries`() throws {
        let entries = (0..<50).map { "<key>\($0 % 2 == 0 ? "\($0)" : "k\($0)")</key><string>http://a.org/\($0)</string>" }

        let one = try rows(list(entries.joined()))
        let other = try rows(list(entries.reversed().joined()))

        #expect(one.count == 50)
        #expect(one == other)
    }

    @Test(arguments: [
        ("order-1.xml", "http://a.org/list/order-1.xml"), ("/order-1.xml", "http://a.org/order-1.xml"),
        ("../order-1.xml?a=b", "http://a.org/order-1.xml?a=b"), ("//b.org/1", "http://b.org/1"),
        ("https://b.org/1", "https://b.org/1"), ("order 1.xml", "http://a.org/list/order%201.xml"),
    ])
    func `A relative address is resolved against the list`(address: String, url: String) throws {
        let document = Array(list("<key>1</key><string>\(address)</string>").utf8)

        let reference = try #require(
            OrderReference.list(propertyList: document, at: URL(string: "http://a.org/list/orders.plist")).first)

        #expect(try reference.url().absoluteString == url)
    }

    @Test func `Of several entries with one id the one with a valid URL is used`() throws {
        let rows = try rows(
            list(
                "<key>1</key><string/><key>01</key><string>http://a.org/1</string><key>1</key><true/>"
                    + "<key>2</key><string>ftp://a.org</string><key>2</key><string>http://a.org/2</string>"
                    + "<key>3</key><string/><key>3</key><true/>"))

        #expect(rows == ["1 http://a.org/1", "2 http://a.org/2", "3: the URL is missing"])
    }

    @Test func `A list in the charset of its response is read`() throws {
        let text = list("<key>1</key><string>http://a.org/Ä</string>")

        let rows = try OrderReference.list(propertyList: Array(try #require(text.data(using: .isoLatin1))), charset: "iso-8859-1")

        #expect(try rows.first?.url().absoluteString == "http://a.org/%C3%84")
    }

    // MARK: Formats

    private static let entries = ["1": "http://a.org/1", "2": "http://a.org/Ä", "x": "y"]
    private static let rows = ["1 http://a.org/1", "2 http://a.org/%C3%84", "x: the key is not a number: x"]

    @Test(arguments: PropertyListSerialization.PropertyListFormat.written)
    func `Property lists written by Foundation are read`(format: PropertyListSerialization.PropertyListFormat) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: Self.entries, format: format, options: 0)

        #expect(try rows(Array(data)) == Self.rows)
    }

    @Test(arguments: [
        "{1=\"http://a.org/1\";2='http://a.org/Ä';x=y;}",
        "// orders\n{ \"1\" = http://a.org/1; /* two */ 2 = \"http://a.org/\\U00c4\"; x = y; }\n",
        "{1 = \"http://a.org/\\61\"; 2 = \"http://a.org/\\205\"; x = \"\\y\";}",
    ])
    func `A list in the notation of OpenStep is read`(text: String) throws {
        #expect(try rows(text) == Self.rows)
    }

    @Test(arguments: [
        (#"\Ud83d\Ude9a"#, "%F0%9F%9A%9A"), (#"\Ud83d"#, "%EF%BF%BD"), (#"\Ude9a\U00e4"#, "%EF%BF%BD%C3%A4"),
        (#"\344\2051"#, "%C3%AE%C3%841"),
        (#"\101\1018"#, "AA8"),
    ])
    func `Escapes of the notation of OpenStep are surrogate pairs, and octal digits of NeXTSTEP's encoding`(
        escapes: String, path: String
    ) throws {
        #expect(try rows("{1 = \"http://a.org/\(escapes)\";}") == ["1 http://a.org/\(path)"])
    }

    @Test func `Values that are not strings are distinguished in every format`() throws {
        let values: [String: Any] = ["1": 5, "2": [1], "3": ["a": 1], "4": true, "5": Data([1]), "6": "http://a.org"]
        let expected =
            ["integer", "array", "dict", "?", "data"].enumerated().map { "\($0 + 1): expected a URL string, found <\($1)>" } + [
                "6 http://a.org"
            ]
        for format in PropertyListSerialization.PropertyListFormat.written {
            let data = try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)

            #expect(try rows(Array(data)).map { $0.replacing("<true>", with: "<?>").replacing("<nothing>", with: "<?>") } == expected)
        }
        let old = "{1 = (5, 6); 2 = {a = \"}\"; b = (1);}; 3 = <0a0b>; 4 = ; 5 = http://a.org;}"
        #expect(
            try rows(old) == [
                "1: expected a URL string, found <array>", "2: expected a URL string, found <dict>",
                "3: expected a URL string, found <data>",
                "4: the URL is missing", "5 http://a.org",
            ])
    }

    @Test(arguments: [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .isoLatin1, .windowsCP1252])
    func `A list in another encoding is read`(encoding: String.Encoding) throws {
        let name = [.isoLatin1: "ISO-8859-1", .windowsCP1252: "Windows-1252"][encoding] ?? "UTF-8"
        let text = "<?xml version='1.0' encoding='\(name)'?>" + list("<key>1</key><string>http://a.org/Ä</string>")

        #expect(try rows(Array(try #require(text.data(using: encoding)))) == ["1 http://a.org/%C3%84"])
    }

    @Test func `Byte order marks, comments, CDATA and references are read as in XML`() throws {
        let text = "\u{FEFF}" + list("<!-- a --><key>&#49;<!-- b --></key> <string>http://a.org/<![CDATA[?a&b]]>&amp;c</string><?x?>")

        #expect(try rows(text) == ["1 http://a.org/?a&b&c"])
    }

    @Test func `Apple's document type is skipped`() throws {
        let head =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"

        #expect(try rows(head + list("<key>1</key><string>http://a.org/1</string>")) == ["1 http://a.org/1"])
    }

    @Test(arguments: ["{}", "<plist><dict/></plist>", "<plist><dict>\n</dict></plist>"]) func `An empty dictionary is an empty list`(
        text: String
    ) throws {
        #expect(try rows(text) == [])
    }

    @Test func `A namespace of a list is ignored, with a prefix or without`() throws {
        let plain = list("<key>1</key><string>http://a.org/1</string><key>2</key><integer>5</integer>")
            .replacing("<plist", with: "<plist xmlns=\"http://a.org/plist\"")
        let prefixed = plain.replacing("</", with: "</p:").replacing(/<(\w)/) { "<p:\($0.1)" }.replacing("xmlns=", with: "xmlns:p=")

        #expect(prefixed.hasPrefix("<p:plist xmlns:p=\"http://a.org/plist\" version=\"1.0\"><p:dict><p:key>1</p:key>"))
        for text in [plain, prefixed] {
            #expect(try rows(text) == ["1 http://a.org/1", "2: expected a URL string, found <integer>"])
        }
    }

    // MARK: Documents that are not lists

    @Test(arguments: [
        "<plist version=\"1.0\"><array/></plist>", "<plist><string>1</string></plist>", "<plist/>", "{\"1\": \"http://a.org/1\"}", "[1, 2]",
        "not a list",
        "( 1, 2 )", "\"text\"", "{ {", "<plist>text</plist>",
    ])
    func `A document without a dictionary is reported`(text: String) {
        #expect(throws: OrderDocumentError.notADictionary) { try rows(text) }
    }

    @Test func `A web page is reported`() {
        #expect(throws: OrderDocumentError.unexpectedRoot("html", expected: "plist")) { try rows("<html><body>Sign in</body></html>") }
        #expect(throws: OrderDocumentError.self) { try rows("<!doctype html><html><body><p>Sign in<br></body></html>") }
    }

    @Test(arguments: ["", " \n", "\u{FEFF}"]) func `An empty document is reported`(text: String) {
        #expect(throws: OrderDocumentError.malformed("the document is empty")) { try rows(text) }
    }

    @Test(arguments: [
        "<plist><dict><key>1</key><string>a</strin></dict></plist>", "<plist><dict><string>a</string></dict></plist>",
        "<plist><dict>a</dict></plist>",
        "<plist><dict><key>1</key>a</dict></plist>", "<plist><dict></dict><dict></dict></plist>", "<plist><dict></dict></plist><plist/>",
        "<plist><dict><key>&bomb;</key></dict></plist>", "{1 = a; 2 = b", "{1 = a; 2}", "{1 = a;} x", "{1 = a; 2 = \"b;}",
        "{1 = a; 2 = (1;}", "{1 = a; /*",
        "bplist00", "bplist00 but too short and nothing like it at all, really",
    ])
    func `A malformed list is reported`(text: String) {
        let error = #expect(throws: OrderDocumentError.self) { try rows(text) }

        #expect(error?.description.hasPrefix("not well-formed: ") == true)
    }

    @Test(arguments: PropertyListSerialization.PropertyListFormat.written)
    func `A truncated list is an error`(format: PropertyListSerialization.PropertyListFormat) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: Self.entries, format: format, options: 0)
        // Only white space follows the last bracket.
        let whole = data.count - (format == .xml ? 1 : 0)

        for length in 0..<whole {
            #expect(throws: OrderDocumentError.self, "\(length) bytes") { try rows(Array(data.prefix(length))) }
        }
    }

    // MARK: Limits

    @Test(arguments: [String.Encoding.utf8, .utf16]) func `A document type that could define entities is refused where it begins`(
        encoding: String.Encoding
    ) throws {
        let bomb = (0..<12).map { "<!ENTITY e\($0 + 1) \"\(String(repeating: "&e\($0);", count: 10))\">" }.joined()
        let text = "<!DOCTYPE plist [<!ENTITY e0 \"x\">\(bomb)]>" + list("<key>&e12;</key>")

        #expect(throws: OrderDocumentError.unsupportedDocumentType) { try rows(Array(try #require(text.data(using: encoding)))) }
    }

    @Test(.timeLimit(.minutes(10)), arguments: ["<array>", "<dict><key>a</key>"]) func `A hundred thousand levels of nesting are refused`(
        level: String
    ) {
        let text = "<plist><dict><key>1</key>" + String(repeating: level, count: 100_000)

        #expect(throws: OrderDocumentError.tooManyLevels(limit: 64)) { try rows(text) }
        #expect(throws: OrderDocumentError.tooManyLevels(limit: 64)) { try rows("{1 = " + String(repeating: "(", count: 100_000)) }
    }

    @Test func `Nested and cyclic values of a binary list are not followed`() throws {
        // An array that contains itself, in a dictionary {"1": array}.
        let bytes: [UInt8] = Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x31, 0xA1, 2] + [8, 11, 13]
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 15]

        #expect(try rows(bytes + trailer) == ["1: expected a URL string, found <array>"])
    }

    // Valid text, bytes that are no UTF-8, and UTF-16 with half of a pair.
    @Test(arguments: [(0x5F, 0x61), (0x5F, 0xFF), (0x6F, 0xD8)] as [(UInt8, UInt8)])
    func `A binary list that names one long text a million times is refused`(marker: UInt8, byte: UInt8) throws {
        let count = 1_000_000
        let text: [UInt8] = [marker, 0x12, 0, 0, 0x27, 0x10] + [UInt8](repeating: byte, count: marker == 0x6F ? 20_000 : 10_000)
        let dictionary: [UInt8] =
            [0xDF, 0x12, 0, 0x0F, 0x42, 0x40] + [UInt8](repeating: 2, count: count) + [UInt8](repeating: 1, count: count)
        let body = Array("bplist00".utf8) + dictionary + text + [0x51, 0x61]
        let place = UInt32(8 + dictionary.count), table = UInt32(body.count)
        func bigEndian(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 4, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0] + bigEndian(table)
        let offsets = bigEndian(8) + bigEndian(place) + bigEndian(table - 2)

        #expect(throws: OrderDocumentError.tooLong(limit: 16 << 20)) { try rows(body + offsets + trailer) }
    }

    @Test(
        .timeLimit(.minutes(10)),
        arguments: ["<", "<!-- ", "{", "/*", " "])
    func `50 MB of invalid data are refused`(nonsense: String) {
        let document = Array(String(repeating: nonsense, count: (50 << 20) / nonsense.utf8.count).utf8)

        #expect(throws: OrderDocumentError.self) { try OrderReference.list(propertyList: document) }
    }

    @Test(.timeLimit(.minutes(10))) func `A list of a million orders is read`() throws {
        var list = Array("<plist version=\"1.0\"><dict>".utf8)
        for id in 1...1_000_000 { list += "<key>\(id)</key><string>http://a.org/order-\(id).xml</string>\n".utf8 }
        list += "</dict></plist>".utf8

        let references = try OrderReference.list(propertyList: list)

        #expect(references.count == 1_000_000)
        #expect(references.first?.id == 1)
        #expect(references.last == OrderReference(id: 1_000_000, address: "http://a.org/order-1000000.xml"))
    }

    @Test(arguments: PropertyListSerialization.PropertyListFormat.written)
    func `A list with more entries than the bound is refused`(format: PropertyListSerialization.PropertyListFormat) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: Self.entries, format: format, options: 0)

        #expect(try OrderReference.list(propertyList: Array(data), entryLimit: 3).count == 3)
        #expect(throws: OrderDocumentError.tooManyEntries(limit: 2)) {
            try OrderReference.list(propertyList: Array(data), entryLimit: 2)
        }
        #expect(throws: OrderDocumentError.tooManyEntries(limit: 2)) {
            try OrderReference.list(propertyList: Array("{1=a;2=b;3=c;}".utf8), entryLimit: 2)
        }
    }
}

extension PropertyListSerialization.PropertyListFormat {
    /// The formats that Foundation writes.
    fileprivate static let written = [Self.xml, .binary]
}
