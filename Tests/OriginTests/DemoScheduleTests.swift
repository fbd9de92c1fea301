import Foundation
import Testing

@testable import Origin

/// The dates of the demo as they come around.
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
    func `A moment that has passed comes again a fortnight later`(now: String, text: String) throws {
        #expect(try schedule(now).next("May, 20th 08:00")?.text == text)
    }

    @Test func `A moment that has not passed for the first time is left as it is stored`() throws {
        #expect(try schedule("2026-05-15T12:00:00Z").next("May, 20th 08:00") == nil)
        #expect(try schedule("2026-05-20T08:00:00Z").next("May, 20th 08:00") == nil)
    }

    @Test func `What has passed is told by the clock of the zone`() throws {
        #expect(try schedule("2026-11-23T06:00:00Z", zone: "Asia/Kathmandu").next("June, 1st 11:00")?.text == "November, 30th 11:00")
        #expect(try schedule("2026-11-16T06:00:00Z", zone: "Asia/Kathmandu").next("June, 1st 12:00")?.text == "November, 16th 12:00")
        #expect(try schedule("2026-11-16T06:00:00Z", zone: "Asia/Kathmandu").next("June, 1st 11:30")?.text == "November, 30th 11:30")
    }

    @Test func `A date has been so since the last time it passed`() throws {
        let since = try #require(try schedule("2026-12-24T12:00:00Z").next("May, 20th 08:00")?.since)

        #expect(since.formatted(.iso8601) == "2026-12-16T08:00:00Z")
    }

    @Test(arguments: ["May, 15th 16:00", "May, 20th 08:05", "June, 3rd 08:00", "May, 20st 08:00", "tomorrow", ""])
    func `A text that the demo does not write is left alone`(text: String) throws {
        #expect(try schedule("2026-12-24T12:00:00Z").next(text) == nil)
    }

    @Test func `A pickup keeps its hour and its offset`() throws {
        let schedule = try schedule("2026-12-24T12:00:00Z")

        #expect(schedule.next(isoText: "2026-05-20T08:15:00-04:00") == "2026-12-30T08:15:00-04:00")
        #expect(schedule.next(isoText: "2026-05-20T08:15:00Z") == "2026-05-20T08:15:00Z")
    }

    @Test func `Orders of an older data directory are due today and in the coming days`() async throws {
        let directory = try TemporaryDirectory()
        let later = try Date.ISO8601FormatStyle().parse("2026-11-23T09:00:00Z")
        let database = try OriginDatabase(in: directory.url)
        _ = try await database.fill(with: DemoOrders(count: 200, seed: 1), now: dateOfCity)
        try database.close()

        let days = try await makeOrigin(orders: 200, storage: .directory(directory.url), now: { later }).dueDates()

        #expect(days.contains("November, 23rd"))
        let coming = (23...30).map { "November, \(DemoMoment.ordinal($0))" } + (1...7).map { "December, \(DemoMoment.ordinal($0))" }
        #expect(days.subtracting(coming) == [])
    }
}

extension OriginServer {
    fileprivate func dueDates() async throws -> Set<String> {
        var days: Set<String> = []
        for id in 1...200 {
            let text = try await answer("/swift-concurrency/order-\(id).xml").text
            if let date = text.firstMatch(of: /<deliveryDate>(.+) \d\d:\d\d</) { days.insert(String(date.1)) }
        }
        return days
    }
}
