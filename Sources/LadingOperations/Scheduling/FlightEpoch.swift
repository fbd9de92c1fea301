/// The sequence number of a flight, or of the last flight that had begun at some time, within one schedule.
struct FlightEpoch: Comparable, Sendable {
    let sequenceNumber: UInt64

    static func < (left: Self, right: Self) -> Bool { left.sequenceNumber < right.sequenceNumber }
}
