/// A date and a time of day as far as a delivery date names them, and the clock that they are read from.
public struct DeliveryDateComponents: Hashable, Sendable, Codable {
    /// The clock that a time is read from.
    public enum Zone: Hashable, Sendable, Codable {
        /// A clock at the place of delivery: the text names no zone, and the time is never converted.
        case local
        /// A clock so many seconds ahead of UTC.
        case offset(Int)
        /// `Z`: the instant is known, the clock of the place is not (RFC 9557 §2).
        case utc
    }

    public var year: Int
    /// From 1.
    public var month: Int
    /// Of the month, from 1.
    public var day: Int
    /// nil for a day without a time.
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
