/// What a lost segment costs those who use TCP: never data, always time.
///
/// The connection rests until the loss is noticed, then sends the segment again. Other connections go on.
struct LossRecovery {
    /// What a sender waits at the least beyond a round trip before it believes in a loss that nobody reports: Linux's minimum.
    private static let patience = Duration.milliseconds(200)
    /// So many segments behind a lost one make the receiver report it (RFC 5681 §3.2).
    private static let reporters = 3

    /// The share of transmissions that are lost.
    let share: Double
    let roundTrip: Duration

    /// How long a connection rests because its segment is lost; nil when it is not.
    ///
    /// - Parameter waiting: The bytes of the connection behind this segment.
    func delay(waiting: Int, luck: inout SplitMix64) -> Duration? {
        guard share > 0, luck.share() < share else { return nil }
        let isReported = waiting > (Self.reporters - 1) * LinkLine.segmentSize
        return isReported ? roundTrip : roundTrip + Self.patience
    }
}
