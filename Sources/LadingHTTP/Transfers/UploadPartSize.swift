/// Decides how much of a file goes into one request: about as much as the link carries in a second or two, and a small share of the file.
struct UploadPartSize {
    static let minimum = 256 << 10
    static let maximum = 16 << 20
    /// At most this share of the file: that much is lost when a server refuses what it was sent.
    static let fileDivisor = 32
    /// A part that took less time is followed by one twice as long, one that took more by one half as long.
    static let targetDuration = Duration.milliseconds(800)...Duration.seconds(4)

    private(set) var bytes = UploadPartSize.minimum
    private let maximum: Int
    private var limits = ResumableUpload.Limits(nil)

    /// - Parameter length: That of the file.
    init(of length: Int) {
        maximum = min(max(length / Self.fileDivisor, Self.minimum), Self.maximum)
    }

    mutating func apply(_ limits: ResumableUpload.Limits) {
        self.limits = limits
    }

    /// How much to send of what remains.
    func next(of remaining: Int) -> Int {
        let wanted = max(bytes, limits.minAppendSize ?? 0)
        return min(wanted, limits.maxAppendSize.flatMap { $0 > 0 ? $0 : nil } ?? .max, remaining)
    }

    mutating func adjust(afterSending count: Int, in time: Duration) {
        if time < Self.targetDuration.lowerBound, count >= bytes { bytes = min(bytes * 2, maximum) }
        if time > Self.targetDuration.upperBound { bytes = max(bytes / 2, Self.minimum) }
    }

    /// A part was too long for the server, which had not told its limit. Says whether a shorter one can be tried.
    mutating func shrink(below count: Int) -> Bool {
        guard count > Self.minimum / 16 else { return false }
        limits.maxAppendSize = count / 2
        return true
    }
}
