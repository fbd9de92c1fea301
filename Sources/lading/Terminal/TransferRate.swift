/// How quick a transfer has been of late.
struct TransferRate {
    /// How far back it looks.
    static let averagingPeriod = Duration.seconds(5)
    /// How many points in time it remembers.
    private static let sampleLimit = 64

    private var samples: [(bytes: Int, at: Duration)] = []

    mutating func record(_ bytes: Int, at now: Duration) {
        // Bytes that were given up begin a new count.
        if let last = samples.last, bytes < last.bytes { samples = [] }
        if let last = samples.last, now - last.at < Self.averagingPeriod / Self.sampleLimit { return }
        samples.append((bytes, now))
        while samples.count > 2, now - samples[0].at > Self.averagingPeriod { samples.removeFirst() }
    }

    /// In bytes per second; nil before enough is known.
    var bytesPerSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.at > first.at else { return nil }
        return Double(last.bytes - first.bytes) / ((last.at - first.at) / .seconds(1))
    }

    /// How long the rest will take at this rate; nil when nobody can say.
    func remaining(_ completed: Int, of total: Int?) -> Duration? {
        guard let total, let bytesPerSecond, bytesPerSecond >= 1 else { return nil }
        return .seconds(Double(total - completed) / bytesPerSecond)
    }
}
