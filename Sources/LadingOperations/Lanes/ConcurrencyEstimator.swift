/// How many transfers at once fill the line of a lane, from how long they wait for their first byte and how long they take from there on.
///
/// Transfers that share a line all get slower: the first of six has come when five others are nearly there, and what is given up half-way was a sixth
/// of the line. It is enough that others fill the line while one waits for its first byte, and half as many more, because transfers that end together
/// wait together. Small replies are all waiting, and as many of them run as the lane has slots; large ones need two.
///
/// A line that several transfers do not share, because the server gives each connection so much and no more, carries less when there are fewer. That is
/// seen soon after the lane has been narrowed, and then it is as wide as before for a while.
///
/// Nothing is known of a line before its first transfer has ended. Until then that transfer has the line to itself: it is complete as soon as the line allows, instead
/// of together with all others, and small replies lose one round trip by it, once. A transfer that outlasts `coldStartTimeout` shares the line with others.
struct ConcurrencyEstimator: Equatable, Sendable {
    /// When one transfer began, had its first byte and its last.
    struct Sample: Equatable, Sendable {
        var beganAt: Duration
        var firstByteAt: Duration
        var endedAt: Duration
        var bytes: Int

        /// For how long it waited for its first byte, in seconds.
        var timeToFirstByte: Double { (firstByteAt - beganAt) / .seconds(1) }
        /// For how long it received bytes, in seconds.
        var receiveTime: Double { (endedAt - firstByteAt) / .seconds(1) }

        /// For how much of that time another received bytes too.
        func overlap(with other: Sample) -> Double {
            max(0, (min(endedAt, other.endedAt) - max(firstByteAt, other.firstByteAt)) / .seconds(1)) / receiveTime
        }
    }

    /// How often the line is to be filled while a transfer waits.
    static let fillFactor = 1.5
    /// What a transfer counts in the averages.
    static let smoothingFactor = 0.25
    /// A transfer of fewer bytes says nothing of what the line carries.
    static let minimumBytes = 16_384
    /// So many transfers show whether a narrowed lane carries as much as before.
    static let trialSampleCount = 4
    /// It carries too little when it is less than this share of that.
    static let minimumThroughputRatio = 0.6
    /// For how many transfers a lane is wide that carried too little when it was narrow.
    static let cooldown = 64
    /// The number of transfers at once on a line of which nothing is known.
    static let coldWidth = 1
    /// The longest time for which the first transfer has the line to itself.
    static let coldStartTimeout = Duration.seconds(5)
    /// How many transfers are kept to see which went on at the same time.
    static let sampleLimit = 8

    /// How long transfers wait, and how long they would take if they had the line to themselves, in seconds.
    private var averageTimeToFirstByte: Double?
    private var averageUnsharedTime = 0.0
    /// Whether no transfer has ended or outlasted `coldStartTimeout` yet.
    private(set) var isCold = true
    /// Whether `wideThroughput` is that of the first transfer, which was alone.
    private var isWideThroughputUnshared = false
    /// What the line carried while the lane was wide and while it was narrow, in bytes a second.
    private var wideThroughput: Double?
    private var narrowThroughput = 0.0
    private var narrowSampleCount = 0
    private var remainingCooldown = 0
    private var narrowedAt = Duration.zero
    private var recentSamples: [Sample] = []
    /// How many transfers are worth running at once; nil for as many as there are slots.
    private(set) var width: Int?
    /// How many may run at once, others included, when one begins that is not visible: half of what fills the line, so that the other half is free for what
    /// comes to be seen. Nil for as many as the lane lets begin.
    private(set) var prefetchWidth: Int?

    /// The number of transfers that may run at once, as far as the line is known.
    func width(within limits: LaneLimits) -> Int {
        isCold && limits.minimumWidth != nil ? min(Self.coldWidth, limits.width) : width ?? limits.width
    }

    /// Ends the cold start: a transfer has ended, whether or not it told how long it took, or has outlasted `coldStartTimeout`.
    mutating func endColdStart() { isCold = false }

    /// - Parameter running: How many transfers the lane had under way, this one included.
    mutating func record(_ sample: Sample, running: Int, limits: LaneLimits) {
        guard let minimumWidth = limits.minimumWidth, minimumWidth < limits.width else { return }
        let isLarge = sample.bytes >= Self.minimumBytes && sample.receiveTime > 0
        let unsharedTime = isLarge ? sample.receiveTime / averageConcurrency(of: sample, running: running) : 0
        if isLarge { recordThroughput(Double(sample.bytes) / unsharedTime, of: sample) }
        if recentSamples.count == Self.sampleLimit { recentSamples.removeFirst() }
        recentSamples.append(sample)
        let weight = averageTimeToFirstByte == nil ? 1 : Self.smoothingFactor
        averageTimeToFirstByte = (averageTimeToFirstByte ?? 0) * (1 - weight) + sample.timeToFirstByte * weight
        self.averageUnsharedTime = self.averageUnsharedTime * (1 - weight) + unsharedTime * weight
        isCold = false
        updateWidth(minimumWidth, limits, at: sample.endedAt)
    }

    /// How many shared the line with a transfer, itself included, on the average.
    ///
    /// Of those that are still under way it is not known for how long; like this one they wait for a part of their time, and take nothing of the line then.
    private func averageConcurrency(of sample: Sample, running: Int) -> Double {
        let expected = Double(running - 1) * sample.receiveTime / (sample.receiveTime + sample.timeToFirstByte)
        return 1 + expected + recentSamples.map { sample.overlap(with: $0) }.reduce(0, +)
    }

    private mutating func recordThroughput(_ throughput: Double, of sample: Sample) {
        if width == nil {
            isWideThroughputUnshared = isCold
            wideThroughput = wideThroughput.map { $0 * (1 - Self.smoothingFactor) + throughput * Self.smoothingFactor } ?? throughput
            remainingCooldown = max(0, remainingCooldown - 1)
        } else if sample.beganAt >= narrowedAt {
            narrowSampleCount += 1
            narrowThroughput += (throughput - narrowThroughput) / Double(min(narrowSampleCount, Self.trialSampleCount))
        }
    }

    private mutating func updateWidth(_ minimumWidth: Int, _ limits: LaneLimits, at time: Duration) {
        let timeToFirstByte = averageTimeToFirstByte ?? 0
        let needed = averageUnsharedTime > 0 ? min(Double(limits.width), (1 + Self.fillFactor * timeToFirstByte / averageUnsharedTime).rounded(.up)) : Double(limits.width)
        if isTooNarrow { (remainingCooldown, wideThroughput, isWideThroughputUnshared) = (Self.cooldown, nil, false) }
        let next = remainingCooldown > 0 || wideThroughput == nil ? limits.width : max(minimumWidth, Int(needed))
        if width == nil { (narrowSampleCount, narrowThroughput, narrowedAt) = (0, 0, time) }
        width = next < limits.width ? next : nil
        prefetchWidth = averageUnsharedTime > 0 && remainingCooldown == 0 ? max(1, Int(min(Double(limits.width), (1 + timeToFirstByte / averageUnsharedTime) / 2))) : nil
    }

    /// Whether the line has shown that it carries more when more transfers run: less than while the lane was wide, or far more than one transfer alone.
    private var isTooNarrow: Bool {
        guard width != nil, narrowSampleCount >= Self.trialSampleCount, let wideThroughput else { return false }
        return isWideThroughputUnshared ? narrowThroughput * Self.minimumThroughputRatio > wideThroughput : narrowThroughput < wideThroughput * Self.minimumThroughputRatio
    }
}
