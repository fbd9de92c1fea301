/// The date, time of day and time zone that a delivery date names.
public struct DeliveryDateComponents: Hashable, Sendable, Codable {
    /// The time zone of a delivery date.
    public enum Zone: Hashable, Sendable, Codable {
        /// The local time at the place of delivery: the text names no zone, and the time is never converted.
        case local
        /// An offset from UTC, in seconds; positive is east.
        case offset(Int)
        /// `Z`: the instant is known, the local offset is not (RFC 9557 §2).
        case utc
    }

    public var year: Int
    /// The month, from 1.
    public var month: Int
    /// The day of the month, from 1.
    public var day: Int
    /// The minute of the day, from 0; nil for a day without a time.
    public var minuteOfDay: Int?
    public var zone: Zone

    private enum CodingKeys: String, CodingKey {
        case year, month, day, minuteOfDay
        case zone = "clock"
    }

    public init(year: Int, month: Int, day: Int, minuteOfDay: Int? = nil, zone: Zone = .local) {
        self.year = year
        self.month = month
        self.day = day
        self.minuteOfDay = minuteOfDay
        self.zone = zone
    }
}
