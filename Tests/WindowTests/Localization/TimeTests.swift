import Foundation
import Testing

@testable import Orders
@testable import Window

/// Formatting of times for pages without scripts.
@Suite struct TimeTests {
    private let now = Date(timeIntervalSince1970: 1_778_875_200)  // 2026-05-15T20:00:00Z
    private let noon = Date(timeIntervalSince1970: 1_779_278_400)  // 2026-05-20T12:00:00Z

    private func texts(_ time: DisplayTime, in zone: String = "GMT") throws -> [String] {
        let zone = try #require(TimeZone(identifier: zone))
        return Language.allCases.map { Texts($0).time(time, now: now, serverZone: zone) }
    }

    @Test(arguments: ["GMT", "America/New_York", "Asia/Kathmandu"])
    func `A time without a zone is shown unconverted, whatever the zone of the server`(zone: String) throws {
        let time = DisplayTime(localTime: noon, zone: .local, hasTime: true)

        let shown = try texts(time, in: zone)

        #expect(shown == ["Wed 20 May, 12:00", "Mi. 20. Mai, 12:00", "5月20日 週三 12:00", "أربعاء، 20 مايو، 12:00"])
        #expect(time.dateTimeAttribute == "2026-05-20T12:00")
    }

    @Test func `A time with an offset is shown in that offset, with its name`() throws {
        let time = DisplayTime(noon, offset: -4 * 3_600)

        let shown = try texts(time, in: "Europe/Berlin")

        #expect(
            shown == [
                "Wed 20 May, 08:00 UTC−4", "Mi. 20. Mai, 08:00 UTC−4", "5月20日 週三 08:00 UTC−4",
                "أربعاء، 20 مايو، 08:00 \u{2068}UTC−4\u{2069}",
            ])
        #expect(time.dateTimeAttribute == "2026-05-20T08:00-04:00")
    }

    @Test(arguments: [
        ("GMT", "Wed 20 May, 12:00 UTC"), ("Europe/Berlin", "Wed 20 May, 14:00 UTC+2"), ("Asia/Kathmandu", "Wed 20 May, 17:45 UTC+5:45"),
        ("Pacific/Auckland", "Thu 21 May, 00:00 UTC+12"), ("America/St_Johns", "Wed 20 May, 09:30 UTC−2:30"),
    ])
    func `An instant is shown in the zone of the server, with its name`(zone: String, text: String) throws {
        let time = DisplayTime(noon, offset: nil)

        #expect(try texts(time, in: zone)[0] == text)
        #expect(time.dateTimeAttribute == "2026-05-20T12:00Z")
    }

    @Test func `A day without a time shows none, and a distant one shows its year`() throws {
        let day = DisplayTime(localTime: Date(timeIntervalSince1970: 1_779_235_200), zone: .local, hasTime: false)
        let farAway = DisplayTime(localTime: Date(timeIntervalSince1970: 1_836_820_800), zone: .local, hasTime: true)

        #expect(try texts(day)[0] == "Wed 20 May")
        #expect(day.dateTimeAttribute == "2026-05-20")
        #expect(try texts(farAway).map { $0.contains("2028") } == [true, true, true, true])
    }

    @Test(arguments: [
        ("May, 20th 12:00", "2026-05-20T12:00"), ("May 20", "2026-05-20"), ("2026-05-20T08:00-04:00", "2026-05-20T08:00-04:00"),
        ("2026-05-20T12:00Z", "2026-05-20T12:00Z"), ("May 20, 12:00 UTC", "2026-05-20T12:00+00:00"),
        ("2026-05-20T17:45+05:45", "2026-05-20T17:45+05:45"), ("2027-01-01 00:00", "2027-01-01T00:00"),
    ])
    func `A delivery date preserves the zone that it was written in`(text: String, machine: String) throws {
        let zone = try #require(TimeZone(identifier: "Asia/Kathmandu"))
        let moment = try #require(DeliveryDateReader(timeZone: zone, reference: now).read(text)?.components)

        #expect(DisplayTime(moment)?.dateTimeAttribute == machine)
    }
}
