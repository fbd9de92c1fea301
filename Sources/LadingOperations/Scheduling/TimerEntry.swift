/// Something that a schedule has to do at a time; times are counted from the beginning of the queue.
struct TimerEntry: Prioritized, Sendable {
    enum Kind: Sendable {
        /// The rest of a flight is over.
        case retry(FlightID)
        /// A wish has not ended in time.
        case deadline(WaiterID)
        /// A flight has been alone in a cold lane for too long.
        case coldStartTimeout(FlightID)
    }

    var time: Duration
    /// Breaks ties in order of arrival.
    var sequenceNumber: UInt64
    var kind: Kind

    func precedes(_ other: TimerEntry) -> Bool {
        time == other.time ? sequenceNumber < other.sequenceNumber : time < other.time
    }
}
