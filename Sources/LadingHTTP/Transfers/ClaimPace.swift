/// Decides how often a transfer makes sure of what it has: often enough that little is lost, seldom enough that the disk keeps up.
struct ClaimPace {
    /// The least and the most bytes between two claims.
    static let least = 1 << 20
    static let most = 64 << 20
    /// Between them it is this share of the file.
    static let share = 32
    /// How long bytes that came wait to be claimed.
    static let interval = Duration.seconds(1)

    private var claimed: (bytes: Int, at: Duration)

    init(bytes: Int, at now: Duration) {
        claimed = (bytes, now)
    }

    /// Whether it is time; then the next interval begins.
    mutating func isDue(bytes: Int, of total: Int?, at now: Duration) -> Bool {
        let stride = min(max((total ?? 0) / Self.share, Self.least), Self.most)
        guard bytes - claimed.bytes >= stride || (bytes > claimed.bytes && now - claimed.at >= Self.interval) else { return false }
        claimed = (bytes, now)
        return true
    }
}
