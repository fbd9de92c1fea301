import SeededNumbers

/// The delay that a lost segment causes in TCP.
///
/// The connection pauses until the loss is detected, then retransmits the segment. Other connections continue.
struct LossRecovery {
    /// The time beyond a round trip after which a sender assumes an unreported loss: Linux's minimum.
    private static let minimumRetransmissionTimeout = Duration.milliseconds(200)
    /// The number of later segments that make the receiver report a loss (RFC 5681 §3.2).
    private static let duplicateACKThreshold = 3

    /// The fraction of transmissions that are lost.
    let lossRate: Double
    let roundTrip: Duration

    /// Returns the pause of a connection whose segment is lost; nil when it is not.
    ///
    /// - Parameter queuedBytes: The bytes of the connection behind this segment.
    func delay(queuedBytes: Int, generator: inout SplitMix64) -> Duration? {
        guard lossRate > 0, generator.nextDouble() < lossRate else { return nil }
        let isReported = queuedBytes > (Self.duplicateACKThreshold - 1) * DirectedLink.segmentSize
        return isReported ? roundTrip : roundTrip + Self.minimumRetransmissionTimeout
    }
}
