/// What a lost segment costs those who use TCP: never data, always time.
///
/// The connection rests until the loss is noticed, then sends the segment again. Other connections go on.
struct LossRecovery {
    /// What a sender waits at the least beyond a round trip before it believes in a loss that nobody reports: Linux's minimum.
    private static let minimumRetransmissionTimeout = Duration.milliseconds(200)
    /// So many segments behind a lost one make the receiver report it (RFC 5681 §3.2).
    private static let duplicateACKThreshold = 3

    /// The share of transmissions that are lost.
    let lossRate: Double
    let roundTrip: Duration

    /// How long a connection rests because its segment is lost; nil when it is not.
    ///
    /// - Parameter waiting: The bytes of the connection behind this segment.
    func delay(queuedBytes: Int, generator: inout SplitMix64) -> Duration? {
        guard lossRate > 0, generator.nextDouble() < lossRate else { return nil }
        let isReported = queuedBytes > (Self.duplicateACKThreshold - 1) * SimplexLink.segmentSize
        return isReported ? roundTrip : roundTrip + Self.minimumRetransmissionTimeout
    }
}
