import Foundation
import LadingTesting
import Testing

@testable import Orders

/// Parsing of delivery dates in free text.
@Suite struct DeliveryDateTests {
    private let format = Date.ISO8601FormatStyle()

    private func time(_ text: String, zone: String = "GMT", at reference: String = "2026-01-01T00:00:00Z") throws -> String? {
        let reader = DeliveryDateReader(timeZone: try #require(TimeZone(identifier: zone)), reference: try format.parse(reference))
        return reader.time(text).map(format.format)
    }

    @Test(arguments: [
        "May, 15th 16:00", "May 15th, 16:00", "May 15 16:00", "15 May 16:00", "15th of May at 16:00", "15-May 16:00", "MAY 15TH 16:00:00",
        "may,15,16:00",
        "May, 15th 4:00 PM", "May 15, 4 pm", "4 p.m. May 15th", "4:00\u{202F}PM, May\u{A0}15", "16:00 15 May", "Friday, May 15th 16:00",
        "Fri. 15 May 16:00",
        "May 15th 16:00 - 18:00", "May 15th, 16:00–18:00", "May 15, 2026 16:00", "15 May 2026 16:00", "2026 May 15 16:00",
        "2026-05-15 16:00", "2026-05-15T16:00",
        "2026-05-15T16:00:00Z", "2026-05-15T16:00:00.250Z", "2026-05-15T18:00+02:00", "2026-05-15T12:30:00-0330", "2026-05-15 18:00 +02",
        "Fri, 15 May 2026 16:00:00 GMT",
        "May 15 16:00 UTC",
    ])
    func `Common date formats are read`(text: String) throws {
        #expect(try time(text) == "2026-05-15T16:00:00Z")
    }

    @Test(arguments: [
        ("Jan 2", "2026-01-02T00:00:00Z"), ("Sept. 3rd 12 AM", "2025-09-03T00:00:00Z"), ("December 31 12:30 pm", "2025-12-31T12:30:00Z"),
        ("June 1st 23:59", "2026-06-01T23:59:00Z"),
        ("July 3 09:05", "2025-07-03T09:05:00Z"), ("2nd Mar 9:05", "2026-03-02T09:05:00Z"), ("2026-05-15", "2026-05-15T00:00:00Z"),
    ])
    func `A date without a time is at midnight, and one without a year in the nearest year`(text: String, expected: String) throws {
        #expect(try time(text) == expected)
    }

    @Test(arguments: [
        "", " ", "soon", "tomorrow 16:00", "May", "16:00", "15", "May 32", "April 31st 16:00", "Feb 30", "May 0", "May 15 16 17",
        "May 15 June 16:00", "May 15 24:00", "May 15 16:60",
        "May 15 1600", "May 15 16:0", "May 15 13:00 PM", "May 15 0 am", "May 15 PM", "15.05.2026", "05/15/2026", "2026-13-01", "2026-02-29",
        "2026-00-15", "2028-02-30", "December 32", "2026-05", "2026-05-15T16:00+99", "2025 2026 May 15",
        "May 15 0000", "Ma 15", "Mayday 15", "１５ May", "May 15 16:00 \u{1F600}", "May 15 99999999999",
        String(repeating: "May 15 ", count: 100), "15. Mai 16:00",
    ])
    func `An invalid date is nil`(text: String) throws {
        #expect(try time(text) == nil)
    }

    @Test func `A text of more than 100 bytes is nil`() throws {
        let longest = "May 15" + String(repeating: "\u{A0}", count: 47)

        #expect(try time(longest) == "2026-05-15T00:00:00Z")
        #expect(try time(longest + " ") == nil)
    }

    @Test(arguments: [
        ("2026-12-30T12:00:00Z", "2027-01-02T10:00:00Z"), ("2026-06-01T00:00:00Z", "2026-01-02T10:00:00Z"),
        ("2026-08-01T00:00:00Z", "2027-01-02T10:00:00Z"),
    ])
    func `A date around the new year is in the nearest year`(reference: String, expected: String) throws {
        #expect(try time("January 2nd 10:00", at: reference) == expected)
    }

    /// In Tokyo, noon of July 2nd is halfway between the first days of 2026 and 2027.
    @Test(arguments: [("02:59:59", 2_026), ("03:00:00", 2_026), ("03:00:01", 2_027)])
    func `The nearest year is that at the local time of the reference, or the earlier of two`(time: String, year: Int) throws {
        let date = try self.time("January 1st", zone: "Asia/Tokyo", at: "2026-07-02T\(time)Z")

        #expect(date == "\(year - 1)-12-31T15:00:00Z")
    }

    @Test(arguments: [
        ("2026-01-01T00:00:00Z", "2024-02-29T08:00:00Z"), ("2026-12-01T00:00:00Z", "2028-02-29T08:00:00Z"),
        ("1900-02-15T00:00:00Z", "1896-02-29T08:00:00Z"), ("1900-03-15T00:00:00Z", "1904-02-29T08:00:00Z"),
        ("1901-01-01T00:00:00Z", "1904-02-29T08:00:00Z"), ("1899-01-01T00:00:00Z", "1896-02-29T08:00:00Z"),
    ])
    func `February 29 is in the nearest leap year`(reference: String, expected: String) throws {
        #expect(try time("Feb 29th 8:00", at: reference) == expected)
    }

    @Test(arguments: [
        ("America/New_York", "May 15 16:00", "2026-05-15T20:00:00Z"), ("America/New_York", "Jan 15 16:00", "2026-01-15T21:00:00Z"),
        ("Asia/Kolkata", "May 15 16:00", "2026-05-15T10:30:00Z"),
        ("Europe/Berlin", "2026-05-15T16:00Z", "2026-05-15T16:00:00Z"), ("Europe/Berlin", "2026-05-15T16:00", "2026-05-15T14:00:00Z"),
        ("Europe/Berlin", "March 29, 2026 01:59", "2026-03-29T00:59:00Z"),
        ("Europe/Berlin", "March 29, 2026 03:00", "2026-03-29T01:00:00Z"),
    ])
    func `A date without a zone is in the reader's zone`(zone: String, text: String, expected: String) throws {
        #expect(try time(text, zone: zone) == expected)
    }

    @Test(
        arguments: [
            ("May 15, 2026", nil, .local), ("May 15, 2026 00:00", 0, .local), ("May 15, 2026 16:30:59", 990, .local),
            ("May 15, 2026 23:59:60", 1_439, .local), ("May 15, 2026 4 PM GMT", 960, .offset(0)), ("2026-05-15T16:30Z", 990, .utc),
            ("2026-05-15T16:30-03:30", 990, .offset(-12_600)),
        ] as [(String, Int?, DeliveryDateComponents.Zone)])
    func `The components of a date are those of the text, with the minute of the day`(
        text: String, minute: Int?, zone: DeliveryDateComponents.Zone
    ) throws {
        let components = DeliveryDateReader.greenwich.read(text)?.components

        #expect(components == DeliveryDateComponents(year: 2_026, month: 5, day: 15, minuteOfDay: minute, zone: zone))
    }

    @Test(arguments: [(0, nil), (1, -719_162), (9_999, 2_932_532), (10_000, nil)] as [(Int, Int?)])
    func `The calendar has the years from 1 to 9999`(year: Int, number: Int?) {
        #expect(CalendarDay(year: year, month: 1, day: 1)?.number == number)
    }

    @Test func `Day numbers of 400 years equal those of Foundation`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for number in stride(from: -62_091, through: 84_006, by: 13) {
            let parts = calendar.dateComponents([.year, .month, .day], from: Date(timeIntervalSince1970: Double(number) * 86_400))
            let day = CalendarDay(year: try #require(parts.year), month: try #require(parts.month), day: try #require(parts.day))
            #expect(day?.number == number)
        }
    }

    @Test func `An order has the time of its delivery, or nil`() throws {
        #expect(try Order(id: 1, document: Documents.order()).deliveryTime.map(format.format) == "2026-05-15T16:00:00Z")
        #expect(try Order(id: 1, document: Documents.order(deliveryDate: "when ripe")).deliveryTime == nil)
    }

    @Test func `Random texts are a finite time or nil`() {
        var random = SeededRandom(for: "damaged dates")
        let alphabet = Array("0123456789:::---+T Z,.JanFebMayPMamstndth\u{202F}é")
        for _ in 0..<5_000 {
            let text = String((0..<Int.random(in: 0...25, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) })
            if let time = DeliveryDateReader.greenwich.time(text) { #expect(time.timeIntervalSince1970.isFinite) }
        }
    }
}
