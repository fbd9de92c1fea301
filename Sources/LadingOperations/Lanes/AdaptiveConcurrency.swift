/// An estimate of the number of concurrent transfers that saturate the link of a lane.
///
/// Transfers that share a link slow each other down: of six, the first completes when the others nearly have, and a cancelled one has wasted a sixth
/// of the link. It suffices that other transfers fill the link while one waits for its first byte, plus half as many, because transfers that end
/// together wait together. Small responses are dominated by waiting and use all slots of the lane; large ones need two.
///
/// Where the server limits each connection instead, fewer transfers carry less. A trial after narrowing the lane detects this, and the lane then
/// returns to its full width for `backoff` transfers.
///
/// Before the first transfer has ended the link is unknown, and that transfer runs alone (cold start): it completes as soon as the link
/// allows, at the cost of one round trip for small responses. After `coldStartTimeout` it shares the link with others.
struct AdaptiveConcurrency: Equatable, Sendable {
    /// The start, first-byte and end times of one transfer, and its size.
    struct Sample: Equatable, Sendable {
        var beganAt: Duration
        var firstByteAt: Duration
        var endedAt: Duration
        var bytes: Int

        /// The wait for the first byte, in seconds.
        var timeToFirstByte: Double { (firstByteAt - beganAt) / .seconds(1) }
        /// The time from the first to the last byte, in seconds.
        var receiveTime: Double { (endedAt - firstByteAt) / .seconds(1) }

        /// Returns the fraction of the receive time during which the other transfer received bytes too.
        func sharedFraction(with other: Sample) -> Double {
            max(0, (min(endedAt, other.endedAt) - max(firstByteAt, other.firstByteAt)) / .seconds(1)) / receiveTime
        }
    }

    /// The number of times the link is filled while a transfer waits for its first byte.
    static let fillFactor = 1.5
    /// The weight of a new sample in the moving averages.
    static let sampleWeight = 0.25
    /// The smallest transfer that is a measure of throughput.
    static let minimumBytes = 16_384
    /// The number of transfers after which the throughput of a narrowed lane is judged.
    static let requiredSampleCount = 4
    /// The smallest acceptable ratio of throughput at limited width to that at full width.
    static let minimumThroughputRatio = 0.6
    /// The number of transfers for which a lane stays wide after narrowing it failed.
    static let backoff = 64
    /// The number of concurrent transfers during the cold start.
    static let coldWidth = 1
    /// The maximum time for which the first transfer runs alone.
    static let coldStartTimeout = Duration.seconds(5)
    /// The number of recent samples that are compared for shared receive time.
    static let sampleLimit = 8

    /// The average time to first byte, in seconds.
    private var averageTimeToFirstByte = 0.0
    /// The average receive time of a transfer that has the link to itself, in seconds.
    private var averageExclusiveTime = 0.0
    /// Whether no transfer has ended or outlasted `coldStartTimeout` yet.
    private(set) var isCold = true
    /// Whether `fullWidthThroughput` was measured by the first transfer, which ran alone.
    private var isFullWidthThroughputExclusive = false
    /// The throughput at full width, in bytes per second.
    private var fullWidthThroughput: Double?
    /// The throughput since the width was limited, in bytes per second.
    private var limitedThroughput = 0.0
    private var limitedSampleCount = 0
    private var remainingBackoff = 0
    private var limitedAt = Duration.zero
    private var recentSamples: [Sample] = []
    /// The number of transfers that saturate the link; nil for as many as there are slots.
    private(set) var width: Int?
    /// The number of running transfers below which a nonvisible one may start: half of those that saturate the link, which reserves the other half
    /// to visible work. Nil for as many as the lane allows.
    private(set) var prefetchWidth: Int?

    /// Returns the number of transfers that may run at once, as far as the link is known.
    func width(within limits: LaneLimits) -> Int {
        isCold && limits.minimumWidth != nil ? min(Self.coldWidth, limits.width) : width ?? limits.width
    }

    /// Ends the cold start after a transfer has ended, measured or not, or has outlasted `coldStartTimeout`.
    mutating func endColdStart() { isCold = false }

    /// Records a finished transfer and updates the estimated width of the lane.
    ///
    /// - Parameter running: The number of running transfers in the lane, this one included.
    mutating func record(_ sample: Sample, running: Int, limits: LaneLimits) {
        guard let minimumWidth = limits.minimumWidth, minimumWidth < limits.width else { return }
        let isLarge = sample.bytes >= Self.minimumBytes && sample.receiveTime > 0
        let exclusiveTime = isLarge ? sample.receiveTime / averageConcurrency(of: sample, running: running) : 0
        if isLarge { recordThroughput(Double(sample.bytes) / exclusiveTime, of: sample) }
        let weight = recentSamples.isEmpty ? 1 : Self.sampleWeight
        averageTimeToFirstByte = averageTimeToFirstByte * (1 - weight) + sample.timeToFirstByte * weight
        averageExclusiveTime = averageExclusiveTime * (1 - weight) + exclusiveTime * weight
        if recentSamples.count == Self.sampleLimit { recentSamples.removeFirst() }
        recentSamples.append(sample)
        isCold = false
        updateWidth(minimumWidth, limits, at: sample.endedAt)
    }

    /// Returns the average number of transfers that shared the link with a transfer, itself included.
    ///
    /// The durations of transfers that are still running are unknown; they are assumed to spend the same fraction of their time waiting.
    private func averageConcurrency(of sample: Sample, running: Int) -> Double {
        let expected = Double(running - 1) * sample.receiveTime / (sample.receiveTime + sample.timeToFirstByte)
        return 1 + expected + recentSamples.map { sample.sharedFraction(with: $0) }.reduce(0, +)
    }

    private mutating func recordThroughput(_ throughput: Double, of sample: Sample) {
        if width == nil {
            isFullWidthThroughputExclusive = isCold
            fullWidthThroughput = fullWidthThroughput.map { $0 * (1 - Self.sampleWeight) + throughput * Self.sampleWeight } ?? throughput
            remainingBackoff = max(0, remainingBackoff - 1)
        } else if sample.beganAt >= limitedAt {
            limitedSampleCount += 1
            limitedThroughput += (throughput - limitedThroughput) / Double(min(limitedSampleCount, Self.requiredSampleCount))
        }
    }

    private mutating func updateWidth(_ minimumWidth: Int, _ limits: LaneLimits, at time: Duration) {
        // The number of transfers that fill the link while one waits for its first byte.
        let ratio = averageTimeToFirstByte / averageExclusiveTime
        let slots = Double(limits.width)
        let needed = averageExclusiveTime > 0 ? min(slots, (1 + Self.fillFactor * ratio).rounded(.up)) : slots
        if isWidthTooLow { (remainingBackoff, fullWidthThroughput, isFullWidthThroughputExclusive) = (Self.backoff, nil, false) }
        let next = remainingBackoff > 0 || fullWidthThroughput == nil ? limits.width : max(minimumWidth, Int(needed))
        if width == nil { (limitedSampleCount, limitedThroughput, limitedAt) = (0, 0, time) }
        width = next < limits.width ? next : nil
        prefetchWidth = averageExclusiveTime > 0 && remainingBackoff == 0 ? max(1, Int(min(slots, (1 + ratio) / 2))) : nil
    }

    /// Whether the lane carried less than at full width, or far more than the first transfer alone.
    private var isWidthTooLow: Bool {
        guard width != nil, limitedSampleCount >= Self.requiredSampleCount, let fullWidthThroughput else { return false }
        return isFullWidthThroughputExclusive
            ? limitedThroughput * Self.minimumThroughputRatio > fullWidthThroughput
            : limitedThroughput < fullWidthThroughput * Self.minimumThroughputRatio
    }
}
