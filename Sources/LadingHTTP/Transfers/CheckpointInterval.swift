/// Decides how often a transfer makes sure of what it has: often enough that little is lost, seldom enough that the disk keeps up.
struct CheckpointInterval {
    /// The least and the most bytes between two claims.
    static let minimum = 1 << 20
    static let maximum = 64 << 20
    /// Between them it is this share of the file.
    static let fileDivisor = 32
    /// How long bytes that came wait to be claimed.
    static let maximumDelay = Duration.seconds(1)

    private var lastCheckpoint: (bytes: Int, at: Duration)

    init(bytes: Int, at now: Duration) {
        lastCheckpoint = (bytes, now)
    }

    /// Whether it is time; then the next interval begins.
    mutating func isDue(bytes: Int, of total: Int?, at now: Duration) -> Bool {
        let stride = min(max((total ?? 0) / Self.fileDivisor, Self.minimum), Self.maximum)
        guard bytes - lastCheckpoint.bytes >= stride || (bytes > lastCheckpoint.bytes && now - lastCheckpoint.at >= Self.maximumDelay) else { return false }
        lastCheckpoint = (bytes, now)
        return true
    }
}
