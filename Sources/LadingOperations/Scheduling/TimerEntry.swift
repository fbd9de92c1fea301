/// A scheduled event of a schedule. Times are measured from the creation of the queue.
struct TimerEntry: Prioritized, Sendable {
    enum Kind: Sendable {
        /// The delay before the retry of a flight ends.
        case retry(FlightID)
        /// The deadline of a waiter.
        case deadline(WaiterID)
        /// The end of the cold start that a flight runs alone in.
        case coldStartTimeout(FlightID)
    }

    var time: Duration
    /// The order of arrival, which breaks ties.
    var sequenceNumber: UInt64
    var kind: Kind

    func isOrderedBefore(_ other: TimerEntry) -> Bool {
        time == other.time ? sequenceNumber < other.sequenceNumber : time < other.time
    }
}
