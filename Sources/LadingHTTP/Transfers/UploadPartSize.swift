/// Decides how much of a file goes into one request: about as much as the link carries in a second or two, and a small share of the file.
struct UploadPartSize {
    static let least = 256 << 10
    static let most = 16 << 20
    /// At most this share of the file: that much is lost when a server refuses what it was sent.
    static let share = 32
    /// A part that took less time is followed by one twice as long, one that took more by one half as long.
    static let time = Duration.milliseconds(800)...Duration.seconds(4)

    private(set) var bytes = UploadPartSize.least
    private let most: Int
    private var limits = ResumableUpload.Limits(nil)

    /// - Parameter length: That of the file.
    init(of length: Int) {
        most = min(max(length / Self.share, Self.least), Self.most)
    }

    mutating func obey(_ limits: ResumableUpload.Limits) {
        self.limits = limits
    }

    /// How much to send of what remains.
    func next(of remaining: Int) -> Int {
        let wanted = max(bytes, limits.minAppendSize ?? 0)
        return min(wanted, limits.maxAppendSize.flatMap { $0 > 0 ? $0 : nil } ?? .max, remaining)
    }

    mutating func sent(_ count: Int, in time: Duration) {
        if time < Self.time.lowerBound, count >= bytes { bytes = min(bytes * 2, most) }
        if time > Self.time.upperBound { bytes = max(bytes / 2, Self.least) }
    }

    /// A part was too long for the server, which had not told its limit. Says whether a shorter one can be tried.
    mutating func shrink(below count: Int) -> Bool {
        guard count > Self.least / 16 else { return false }
        limits.maxAppendSize = count / 2
        return true
    }
}
