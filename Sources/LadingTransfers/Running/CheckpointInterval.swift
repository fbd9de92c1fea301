/// The interval between checkpoints of a transfer: short enough to lose little, long enough not to slow the disk.
struct CheckpointInterval {
    /// The minimum and the maximum number of bytes between two checkpoints.
    static let minimum = 1 << 20
    static let maximum = 64 << 20
    /// The interval between those bounds is the size of the file divided by this.
    static let partsPerFile = 32
    /// The maximum delay between the arrival of bytes and their checkpoint.
    static let maximumDelay = Duration.seconds(1)

    private var lastCheckpoint: (bytes: Int, at: Duration)

    init(bytes: Int, at now: Duration) {
        lastCheckpoint = (bytes, now)
    }

    /// Continues from the first byte: the received bytes were discarded.
    mutating func restart() { lastCheckpoint.bytes = 0 }

    /// Whether a checkpoint is due; if so, the next interval starts.
    mutating func shouldCheckpoint(bytes: Int, of total: Int?, at now: Duration) -> Bool {
        let stride = min(max((total ?? 0) / Self.partsPerFile, Self.minimum), Self.maximum)
        guard bytes - lastCheckpoint.bytes >= stride || (bytes > lastCheckpoint.bytes && now - lastCheckpoint.at >= Self.maximumDelay)
        else { return false }
        lastCheckpoint = (bytes, now)
        return true
    }
}
