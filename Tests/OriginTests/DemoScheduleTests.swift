import Foundation
import TemporaryFolders
import Testing

@testable import Origin

/// The recurring dates of the demo.
@Suite struct DemoScheduleTests {
    private func schedule(_ now: String, zone: String = "GMT") throws -> DemoSchedule {
        let now = try Date.ISO8601FormatStyle().parse(now)
        return DemoSchedule(now: { now }, timeZone: try #require(TimeZone(identifier: zone)))
    }

    @Test(arguments: [
        ("2026-06-03T07:59:00Z", "June, 3rd 08:00"), ("2026-06-03T08:00:00Z", "June, 3rd 08:00"),
        ("2026-06-03T08:00:01Z", "June, 17th 08:00"),
        ("2026-05-20T08:01:00Z", "June, 3rd 08:00"), ("2026-12-24T12:00:00Z", "December, 30th 08:00"),
        ("2026-12-31T12:00:00Z", "January, 13th 08:00"), ("2031-02-28T09:00:00Z", "March, 5th 08:00"),
    ])
    func `A date that has passed recurs a fortnight later`(now: String, text: String) throws {
        #expect(try schedule(now).nextDate(of: "May, 20th 08:00")?.text == text)
    }

    @Test func `A date that has not passed stays as stored`() throws {
        #expect(try schedule("2026-05-15T12:00:00Z").nextDate(of: "May, 20th 08:00") == nil)
        #expect(try schedule("2026-05-20T08:00:00Z").nextDate(of: "May, 20th 08:00") == nil)
    }

    @Test func `A date passes in the time zone of the schedule`() throws {
        #expect(
            try schedule("2026-11-23T06:00:00Z", zone: "Asia/Kathmandu").nextDate(of: "June, 1st 11:00")?.text
                == "November, 30th 11:00")
        #expect(
            try schedule("2026-11-16T06:00:00Z", zone: "Asia/Kathmandu").nextDate(of: "June, 1st 12:00")?.text
                == "November, 16th 12:00")
        #expect(
            try schedule("2026-11-16T06:00:00Z", zone: "Asia/Kathmandu").nextDate(of: "June, 1st 11:30")?.text
                == "November, 30th 11:30")
    }

    @Test func `An occurrence is dated by the end of the previous one`() throws {
        let since = try #require(try schedule("2026-12-24T12:00:00Z").nextDate(of: "May, 20th 08:00")?.since)

        #expect(since.formatted(.iso8601) == "2026-12-16T08:00:00Z")
    }

    @Test(arguments: ["May, 15th 16:00", "May, 20th 08:05", "June, 3rd 08:00", "May, 20st 08:00", "tomorrow", ""])
    func `Text that the demo does not write has no next occurrence`(text: String) throws {
        #expect(try schedule("2026-12-24T12:00:00Z").nextDate(of: text) == nil)
    }

    @Test func `A pickup time preserves its hour and offset`() throws {
        let schedule = try schedule("2026-12-24T12:00:00Z")

        #expect(schedule.nextDate(ofISOText: "2026-05-20T08:15:00-04:00") == "2026-12-30T08:15:00-04:00")
        #expect(schedule.nextDate(ofISOText: "2026-05-20T08:15:00Z") == "2026-05-20T08:15:00Z")
    }

    @Test func `Orders of an older data directory are due today and in the coming days`() async throws {
        let directory = try TemporaryFolder()
        let later = try Date.ISO8601FormatStyle().parse("2026-11-23T09:00:00Z")
        let database = try OriginDatabase(in: directory.url)
        _ = try await database.fill(with: DemoOrders(count: 200, seed: 1), now: demoDate)
        try database.close()

        let days = try await makeOrigin(orders: 200, storage: .directory(directory.url), now: { later }).dueDates()

        #expect(days.contains("November, 23rd"))
        let coming = (23...30).map { "November, \(DemoTimeSlot.ordinal($0))" } + (1...7).map { "December, \(DemoTimeSlot.ordinal($0))" }
        #expect(days.subtracting(coming) == [])
    }
}

extension OriginServer {
    fileprivate func dueDates() async throws -> Set<String> {
        var days: Set<String> = []
        for id in 1...200 {
            let text = try await response(to: "/swift-concurrency/order-\(id).xml").text
            if let date = text.firstMatch(of: /<deliveryDate>(.+) \d\d:\d\d</) { days.insert(String(date.1)) }
        }
        return days
    }
}
