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
/// of together with all others, and small replies lose one round trip by it, once. A transfer that outlasts `coldLimit` shares the line with others.
struct LineGauge: Equatable, Sendable {
    /// When one transfer began, had its first byte and its last.
    struct Transfer: Equatable, Sendable {
        var beganAt: Duration
        var firstByteAt: Duration
        var endedAt: Duration
        var bytes: Int

        /// For how long it waited for its first byte, in seconds.
        var waiting: Double { (firstByteAt - beganAt) / .seconds(1) }
        /// For how long it received bytes, in seconds.
        var receiving: Double { (endedAt - firstByteAt) / .seconds(1) }

        /// For how much of that time another received bytes too.
        func share(with other: Transfer) -> Double {
            max(0, (min(endedAt, other.endedAt) - max(firstByteAt, other.firstByteAt)) / .seconds(1)) / receiving
        }
    }

    /// How often the line is to be filled while a transfer waits.
    static let filling = 1.5
    /// What a transfer counts in the averages.
    static let weight = 0.25
    /// A transfer of fewer bytes says nothing of what the line carries.
    static let leastBytes = 16_384
    /// So many transfers show whether a narrowed lane carries as much as before.
    static let trial = 4
    /// It carries too little when it is less than this share of that.
    static let leastShare = 0.6
    /// For how many transfers a lane is wide that carried too little when it was narrow.
    static let patience = 64
    /// The number of transfers at once on a line of which nothing is known.
    static let firstWidth = 1
    /// The longest time for which the first transfer has the line to itself.
    static let coldLimit = Duration.seconds(5)
    /// How many transfers are kept to see which went on at the same time.
    static let recentLimit = 8

    /// How long transfers wait, and how long they would take if they had the line to themselves, in seconds.
    private var waiting: Double?
    private var alone = 0.0
    /// Whether no transfer has ended or outlasted `coldLimit` yet.
    private(set) var isCold = true
    /// Whether `wideRate` is that of the first transfer, which was alone.
    private var isRateOfFirst = false
    /// What the line carried while the lane was wide and while it was narrow, in bytes a second.
    private var wideRate: Double?
    private var narrowRate = 0.0
    private var narrowTransfers = 0
    private var wideTransfersToCome = 0
    private var narrowedAt = Duration.zero
    private var recent: [Transfer] = []
    /// How many transfers are worth running at once; nil for as many as there are slots.
    private(set) var width: Int?
    /// How many may run at once, others included, when one begins that is not visible: half of what fills the line, so that the other half is free for what
    /// comes to be seen. Nil for as many as the lane lets begin.
    private(set) var widthAhead: Int?

    /// The number of transfers that may run at once, as far as the line is known.
    func width(within limits: LaneLimits) -> Int {
        isCold && limits.narrowest != nil ? min(Self.firstWidth, limits.width) : width ?? limits.width
    }

    /// Ends the cold start: a transfer has ended, whether or not it told how long it took, or has outlasted `coldLimit`.
    mutating func warm() { isCold = false }

    /// - Parameter running: How many transfers the lane had under way, this one included.
    mutating func note(_ transfer: Transfer, among running: Int, limits: LaneLimits) {
        guard let narrowest = limits.narrowest, narrowest < limits.width else { return }
        let isLarge = transfer.bytes >= Self.leastBytes && transfer.receiving > 0
        let alone = isLarge ? transfer.receiving / sharers(of: transfer, among: running) : 0
        if isLarge { noteRate(Double(transfer.bytes) / alone, of: transfer) }
        if recent.count == Self.recentLimit { recent.removeFirst() }
        recent.append(transfer)
        let share = waiting == nil ? 1 : Self.weight
        waiting = (waiting ?? 0) * (1 - share) + transfer.waiting * share
        self.alone = self.alone * (1 - share) + alone * share
        isCold = false
        decide(narrowest, limits, at: transfer.endedAt)
    }

    /// How many shared the line with a transfer, itself included, on the average.
    ///
    /// Of those that are still under way it is not known for how long; like this one they wait for a part of their time, and take nothing of the line then.
    private func sharers(of transfer: Transfer, among running: Int) -> Double {
        let underWay = Double(running - 1) * transfer.receiving / (transfer.receiving + transfer.waiting)
        return 1 + underWay + recent.map { transfer.share(with: $0) }.reduce(0, +)
    }

    private mutating func noteRate(_ rate: Double, of transfer: Transfer) {
        if width == nil {
            isRateOfFirst = isCold
            wideRate = wideRate.map { $0 * (1 - Self.weight) + rate * Self.weight } ?? rate
            wideTransfersToCome = max(0, wideTransfersToCome - 1)
        } else if transfer.beganAt >= narrowedAt {
            narrowTransfers += 1
            narrowRate += (rate - narrowRate) / Double(min(narrowTransfers, Self.trial))
        }
    }

    private mutating func decide(_ narrowest: Int, _ limits: LaneLimits, at time: Duration) {
        let waited = waiting ?? 0
        let needed = alone > 0 ? min(Double(limits.width), (1 + Self.filling * waited / alone).rounded(.up)) : Double(limits.width)
        if isTooNarrow { (wideTransfersToCome, wideRate, isRateOfFirst) = (Self.patience, nil, false) }
        let next = wideTransfersToCome > 0 || wideRate == nil ? limits.width : max(narrowest, Int(needed))
        if width == nil { (narrowTransfers, narrowRate, narrowedAt) = (0, 0, time) }
        width = next < limits.width ? next : nil
        widthAhead = alone > 0 && wideTransfersToCome == 0 ? max(1, Int(min(Double(limits.width), (1 + waited / alone) / 2))) : nil
    }

    /// Whether the line has shown that it carries more when more transfers run: less than while the lane was wide, or far more than one transfer alone.
    private var isTooNarrow: Bool {
        guard width != nil, narrowTransfers >= Self.trial, let wideRate else { return false }
        return isRateOfFirst ? narrowRate * Self.leastShare > wideRate : narrowRate < wideRate * Self.leastShare
    }
}
