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
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49 1994",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
    ])
    func `Invalid dates are rejected`(text: String) {
        #expect(HTTPDate(text, near: Self.reference) == nil)
    }

    @Test func `A leap second equals the second before it`() {
        #expect(HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT") == HTTPDate("Sat, 31 Dec 2016 23:59:59 GMT"))
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
