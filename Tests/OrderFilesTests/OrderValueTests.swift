import OrderFiles
import OrderLifecycle
import OrderStorage
import Testing

@Suite("Values of rows")
struct OrderValueTests {
    @Test(arguments: [
        ("42.50", ",", "42.50"), (" 42.5 ", ",", "42.5"), ("7", ",", "7"), ("1.234", ",", "1.234"), ("42,50", ";", "42.50"),
        ("42,5", "\t", "42.5"), ("42.50", ";", "42.50"), ("1.234", ";", "1.234"), ("999999999.999", ",", "999999999.999"),
        ("007", ",", "007"),
    ])
    func `A price has a decimal point, or a decimal comma between semicolons and tabs`(text: String, delimiter: String, expected: String) {
        #expect(read(row: ["price": text], delimiter: delimiter).contents.map(\.price) == [expected])
    }

    @Test(arguments: [
        ("42,50", ",", "must have a decimal point"), ("1,234", ",", "without thousands separators"),
        ("1,234", ";", "with a decimal point or"),
        ("1.234,50", ";", "without thousands separators"), ("1,234.50", ",", "without thousands separators"),
        ("1'234.50", ",", "without thousands separators"), ("1 234", ",", "without thousands separators"),
        ("1\u{A0}234,5", ";", "without thousands separators"), ("-1", ",", "an amount such as 42.50"),
        ("€5", ",", "an amount such as 42.50"),
        ("5 EUR", ",", "an amount such as 42.50"), ("1e3", ",", "an amount such as 42.50"), ("1234567890", ",", "an amount such as 42.50"),
        ("1.2345", ",", "an amount such as 42.50"), (".5", ",", "an amount such as 42.50"), ("5.", ",", "an amount such as 42.50"),
        ("٤٢", ",", "an amount such as 42.50"), ("1,", ";", "an amount such as 42.50"), ("0x10", ",", "an amount such as 42.50"),
        ("1,2345", ";", "an amount such as 42.50"), ("=1+1", ",", "an amount such as 42.50"),
    ])
    func `Another price is faulty`(text: String, delimiter: String, expected: String) {
        let errors = read(row: ["price": text], delimiter: delimiter).errors

        #expect(errors.count == 1 && errors.first?.hasPrefix("row 2: column \"price\": \"") == true, "\(errors)")
        #expect(errors.first?.contains(expected) == true, "\(errors)")
    }

    @Test(arguments: [
        ("2026-05-15T12:00:00Z", "2026-05-15T12:00:00.000Z"), ("2026-05-15t12:00:00.5z", "2026-05-15T12:00:00.500Z"),
        ("2026-05-15T12:00:00.123456789+02:00", "2026-05-15T10:00:00.123Z"), ("2026-05-15T12:00+0530", "2026-05-15T06:30:00.000Z"),
        ("2026-05-15 12:00 -03", "2026-05-15T15:00:00.000Z"), ("2026-05-15 12:00", "2026-05-15T10:00:00.000Z"),
        ("2026-01-15T12:00", "2026-01-15T11:00:00.000Z"), ("15.05.2026 12:00", "2026-05-15T10:00:00.000Z"),
        ("5.1.2026 9:05", "2026-01-05T08:05:00.000Z"), ("2024-02-29 00:00:59,25", "2024-02-28T23:00:59.250Z"),
        ("2026-03-29 01:59", "2026-03-29T00:59:00.000Z"), ("2026-03-29 03:00", "2026-03-29T01:00:00.000Z"),
        ("2026-10-25 02:30", "2026-10-25T00:30:00.000Z"), ("2026-10-25 03:00", "2026-10-25T02:00:00.000Z"),
        ("2026-03-29T02:30+01:00", "2026-03-29T01:30:00.000Z"), ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"), ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    ])
    func `A time without an offset is one of the time zone`(text: String, expected: String) {
        #expect(read(row: ["due": text]).contents.first?.due?.text == expected, "\(read(row: ["due": text]).errors)")
    }

    @Test(
        arguments: [
            ("05/15/2026 12:00", .ambiguousDate), ("5/6/26", .ambiguousDate), ("2026-05-15", .dateWithoutTime),
            ("15.05.2026", .dateWithoutTime),
            ("2026-02-29 12:00", .outOfRange), ("2026-13-01 12:00", .outOfRange), ("2026-05-15 24:00", .outOfRange),
            ("0000-01-01 00:00", .outOfRange), ("0001-01-01T00:00:00+14:00", .outOfRange), ("9999-12-31T23:59:59-00:01", .outOfRange),
            ("0001-01-01 00:00", .outOfRange),
            ("2026-05-15 12:60", .outOfRange), ("2026-05-15T12:00+24:00", .outOfRange), ("32.05.2026 12:00", .outOfRange),
            ("2026-03-29 02:30", .skipped(timeZone: "Europe/Berlin")), ("29.03.2026 02:00", .skipped(timeZone: "Europe/Berlin")),
            ("46157.5", .unknownForm), ("15.05.26 12:00", .unknownForm), ("tomorrow", .unknownForm),
            ("2026-05-15T12:00:00+2", .unknownForm),
            ("2026-05-15T12", .unknownForm), ("2026-05-15 12:00 PM", .unknownForm), ("20260515T120000Z", .unknownForm),
            ("2026-05-15T12:00:00.Z", .unknownForm),
            ("２０２６-05-15 12:00", .unknownForm), ("2026-05-15 12:00 UTC", .unknownForm), ("99999999999999999999-05-15 12:00", .unknownForm),
        ] as [(String, TimeProblem)])
    func `Another time is faulty`(text: String, problem: TimeProblem) {
        #expect(read(row: ["due": text]).rejectedRows.first?.errors.map(\.problem) == [.time(problem)])
    }

    @Test func `The day that a time zone skipped is faulty, and other times of it are read`() {
        let options = OrderFileReader.Options.test(timeZone: "Pacific/Apia")

        #expect(read(row: ["due": "2011-12-30 12:00"], options: options).errors.count == 1)
        #expect(read(row: ["due": "2011-12-29 12:00"], options: options).contents.first?.due?.text == "2011-12-29T22:00:00.000Z")
        #expect(read(row: ["due": "2011-12-31 12:00"], options: options).contents.first?.due?.text == "2011-12-30T22:00:00.000Z")
    }

    @Test(arguments: [
        ("12 x 1.5 kg; 7 x 2 pcs", ["12|1.5|kg", "7|2|pcs"]), ("12x3", ["12|3|"]), (" 12 X 1 large box ;", ["12|1|large box"]),
        ("1×2 a\n;2*3 b", ["1|2|a", "2|3|b"]),
        ("1 x - ; 2 x \\- kg", ["1||", "2|-|kg"]), ("1 x a\\ b\\;c \\\\d\\ ", ["1|a b;c|\\d "]),
        ("9007199254740991 x 1", ["9007199254740991|1|"]),
    ])
    func `Items are ids, quantities and units`(text: String, expected: [String]) {
        let items = read(row: ["items": text]).contents.first?.items ?? []

        #expect(items.map { "\($0.id)|\($0.quantity)|\($0.unit)" } == expected)
    }

    @Test(arguments: [
        ("milk", "must be a list such as 12 x 1.5 kg"), ("12", "must be a list such as"), ("12 x", "must be a list such as"),
        ("12 x;", "must be a list such as"),
        ("12 y 1", "must be a list such as"), ("12 x 1\\", "must be a list such as"), ("9223372036854775808 x 1", "must be a list such as"),
        ("0 x 1", "an id from 1 to 9007199254740991"), ("9007199254740992 x 1", "an id from 1 to 9007199254740991"),
        ("9223372036854775807 x 1", "an id from 1 to 9007199254740991"), ("1 x \(String(repeating: "9", count: 41))", "at most 40 bytes"),
        (String(repeating: "1 x 1;", count: 501), "at most 500 items"),
    ])
    func `Other items are faulty`(text: String, expected: String) {
        let errors = read(row: ["items": text]).errors

        #expect(errors.count == 1 && errors.first?.contains(expected) == true, "\(errors)")
    }

    @Test(arguments: [
        ("latitude", "90.1", "must be from -90 to 90"), ("latitude", "x", "must be a number"), ("latitude", "1.2.3", "must be a number"),
        ("latitude", "48,1", "must be a number"), ("latitude", "nan", "must be a number"), ("latitude", "0x1p3", "must be a number"),
        ("latitude", "1e400", "must be a number"), ("radius", "-1", "must be from 0 to 1000000"),
        ("radius", "1000001", "must be from 0 to 1000000"),
        ("pin", "12", "must have 3 to 12 digits"), ("pin", "12a4", "must have 3 to 12 digits"), ("title", "\u{2003}", "must not be empty"),
        ("note", String(repeating: "ä", count: 1_001), "must not exceed 2000 bytes"),
        ("externalId", String(repeating: "x", count: 201), "must have 1 to 200 bytes"),
    ])
    func `A value that breaks a rule is faulty`(column: String, value: String, expected: String) {
        let coordinates = column == "latitude" ? ["longitude": "1"] : [:]
        let errors = read(row: [column: value].merging(coordinates) { $1 }).errors

        #expect(errors.count == 1 && errors.first?.contains(expected) == true, "\(errors)")
    }

    @Test func `Coordinates have a decimal comma between semicolons, and both or none are there`() {
        let row = ["lat": "-48,137", "lon": "+11.5", "radius": "1,5"]

        #expect(read(row: row, delimiter: ";").contents.first?.destination.coordinate == Coordinate(latitude: -48.137, longitude: 11.5))
        #expect(read(row: ["radius": "1,500"], delimiter: ";").rejectedRows.first?.errors.map(\.problem) == [.ambiguousComma])
        #expect(
            read(row: ["lat": "1", "lon": " "]).errors
                == ["row 2: column \"lon\" must not be empty if the other coordinate is given: fill in both, or none"])
    }

    @Test func `Control characters of a value are not in its fault, and a long value is cut`() {
        let errors = read(row: ["price": "\u{1B}[31m\u{202E}" + String(repeating: "x", count: 100)]).rejectedRows.first?.errors

        #expect(errors?.first?.value == " [31m " + String(repeating: "x", count: 34) + "…")
    }
}
