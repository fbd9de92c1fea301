/// The recent rate of a transfer.
struct TransferRate {
    /// The period over which the rate is averaged.
    static let averagingPeriod = Duration.seconds(5)
    /// The maximum number of samples.
    private static let sampleLimit = 64

    private var samples: [(bytes: Int, at: Duration)] = []

    mutating func record(_ bytes: Int, at now: Duration) {
        // Discarded bytes restart the measurement.
        if let last = samples.last, bytes < last.bytes { samples = [] }
        if let last = samples.last, now - last.at < Self.averagingPeriod / Self.sampleLimit { return }
        samples.append((bytes, now))
        while samples.count > 2, now - samples[0].at > Self.averagingPeriod { samples.removeFirst() }
    }

    /// The rate in bytes per second; nil before there are two samples.
    var bytesPerSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.at > first.at else { return nil }
        return Double(last.bytes - first.bytes) / ((last.at - first.at) / .seconds(1))
    }

    /// Returns the estimated remaining time; nil when the size or the rate is unknown.
    func remaining(_ completed: Int, of total: Int?) -> Duration? {
        guard let total, let bytesPerSecond, bytesPerSecond >= 1 else { return nil }
        return .seconds(Double(total - completed) / bytesPerSecond)
    }
}
