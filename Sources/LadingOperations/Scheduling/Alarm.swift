/// Something that a schedule has to do at a time; times are counted from the beginning of the queue.
struct Alarm: Prioritized, Sendable {
    enum Subject: Sendable {
        /// The rest of a flight is over.
        case rested(FlightID)
        /// A wish has not ended in time.
        case expired(WishID)
        /// A flight has been alone in a cold lane for too long.
        case outlasted(FlightID)
    }

    var time: Duration
    /// Breaks ties in order of arrival.
    var number: UInt64
    var subject: Subject

    func precedes(_ other: Alarm) -> Bool {
        time == other.time ? number < other.number : time < other.time
    }
}
