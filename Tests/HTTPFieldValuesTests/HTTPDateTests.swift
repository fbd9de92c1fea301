import Foundation
import HTTPFieldValues
import Testing

@Suite struct HTTPDateTests {
    private static let example = Date(timeIntervalSince1970: 784_111_777)
    private static let reference = Date(timeIntervalSince1970: 1_763_700_000)

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "SUN, 06 nov 1994 08:49:37 gmt",
    ])
    func `All three date formats are parsed, in any case`(text: String) {
        #expect(HTTPDate(text, near: Self.reference)?.date == Self.example)
    }

    @Test(arguments: [
        "", "tomorrow", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Son, 06 Nov 1994 08:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sonday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov 6 08:49 1994", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
        "yesterday", "2026-05-15T12:00:00Z", "Fri, 15 May 2026", "Fri, 15 May 2026 12:00:00 GMT, Fri, 15 May 2026 12:00:00 GMT",
    ])
    func `Invalid dates are rejected`(text: String) {
        #expect(HTTPDate(text, near: Self.reference) == nil)
    }

    @Test(arguments: [
        "Fri, 15 May 2026 12:00:00 GMT", "Friday, 15-May-26 12:00:00 GMT", "Fri May 15 12:00:00 2026",
    ])
    func `A date in any format is written in the preferred one`(text: String) {
        #expect(HTTPDate(text, near: Self.reference)?.text == "Fri, 15 May 2026 12:00:00 GMT")
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777.999, "Sun, 06 Nov 1994 08:49:37 GMT"), (-0.5, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    ])
    func `A date is rounded down to a second and written with two digits`(seconds: Double, text: String) {
        let date = Date(timeIntervalSince1970: seconds)

        #expect(HTTPDate(date).text == text)
        #expect(date.httpDate == text)
        #expect(HTTPDate(date).date == Date(timeIntervalSince1970: seconds.rounded(.down)))
    }

    @Test func `Dates are ordered, and equal within a second`() {
        #expect(HTTPDate(Self.example) < HTTPDate(Self.example + 1))
        #expect(!(HTTPDate(Self.example) < HTTPDate(Self.example)))
        #expect(HTTPDate(Self.example) == HTTPDate(Self.example + 0.5))
    }

    @Test func `A leap second equals the second before it`() {
        let last = Date(timeIntervalSince1970: 1_483_228_799)

        #expect(HTTPDate("Sat, 31 Dec 2016 23:59:59 GMT")?.date == last)
        #expect(HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT")?.date == last)
    }

    @Test(arguments: [("94", 1994), ("25", 2025), ("75", 2075), ("76", 1976), ("00", 2000)])
    func `A two-digit year is at most 50 years ahead`(short: String, year: Int) {
        let read = HTTPDate("Sunday, 06-Nov-\(short) 08:49:37 GMT", near: Self.reference)

        #expect(read == HTTPDate("Sun, 06 Nov \(year) 08:49:37 GMT"))
    }

    @Test func `A two-digit year is rejected without a reference date`() {
        #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT") == nil)
    }
}
