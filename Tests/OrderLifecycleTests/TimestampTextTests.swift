import OrderLifecycle
import Testing

@Suite("Times as text")
struct TimestampTextTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_778_846_400_123, "2026-05-15T12:00:00.123Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_709_164_800_000, "2024-02-29T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func `A time is written in UTC with milliseconds, and read again`(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).text == text)
        #expect(Timestamp(text: text) == Timestamp(milliseconds: milliseconds))
    }

    @Test(
        arguments: [(.min, "-292275055-05-16T16:47:04.192Z"), (.max, "292278994-08-17T07:12:55.807Z")] as [(Int64, String)])
    func `Each number of milliseconds has a text`(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).text == text)
    }

    @Test(arguments: [
        ("2026-05-15T14:00:00+02:00", "2026-05-15T12:00:00.000Z"), ("2026-05-15t12:00:00z", "2026-05-15T12:00:00.000Z"),
        ("2026-05-15T12:00:00.1Z", "2026-05-15T12:00:00.100Z"), ("2026-05-15T12:00:00.123456789Z", "2026-05-15T12:00:00.123Z"),
        ("2026-12-31T20:30:00-05:30", "2027-01-01T02:00:00.000Z"), ("2026-06-30T23:59:60Z", "2026-06-30T23:59:59.000Z"),
    ])
    func `A time with an offset or a fraction is read`(text: String, expected: String) {
        #expect(Timestamp(text: text)?.text == expected)
    }

    @Test(arguments: [
        "", "now", "2026-05-15", "2026-05-15T12:00:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-05-15T24:00:00Z",
        "2026-05-15 12:00:00Z", "0000-01-01T00:00:00Z", "٢٠٢٦-05-15T12:00:00Z", "2026-05-15T12:00:00.Z", "2026-05-15T12:00:00Z ",
        "9999-12-31T23:59:59-00:01", "0001-01-01T00:00:00+14:00",
    ])
    func `Another text is no time`(text: String) {
        #expect(Timestamp(text: text) == nil)
    }
}
