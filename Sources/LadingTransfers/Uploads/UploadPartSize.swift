/// The size of the parts of an upload: the bytes of a second or two on the link, and a small fraction of the file.
package struct UploadPartSize {
    /// The minimum size, in bytes; also the size of the first part.
    static let minimum = 256 << 10
    /// The maximum size, in bytes.
    static let maximum = 16 << 20
    /// The maximum part is the size of the file divided by this: as much is lost when a server rejects a part.
    static let partsPerFile = 32
    /// The target duration of a part. After a faster part the size doubles, after a slower one it is halved.
    static let targetDuration = Duration.milliseconds(800)...Duration.seconds(4)

    private(set) var bytes = UploadPartSize.minimum
    private let maximum: Int
    private var limits = ResumableUpload.Limits(nil)
    /// Half of the last part that was too large; nil when none was. Announced limits do not replace it: the limit may be that of a proxy,
    /// which the server does not know.
    private var reducedMaximum: Int?

    /// - Parameter length: The length of the file, in bytes.
    package init(of length: Int) {
        maximum = min(max(length / Self.partsPerFile, Self.minimum), Self.maximum)
    }

    mutating func apply(_ limits: ResumableUpload.Limits) {
        self.limits = limits
    }

    /// Returns the size of the next part.
    package func next(of remaining: Int) -> Int {
        let size = max(bytes, limits.minAppendSize ?? 0)
        let announcedMaximum = limits.maxAppendSize.flatMap { $0 > 0 ? $0 : nil } ?? .max
        return min(size, announcedMaximum, reducedMaximum ?? .max, remaining)
    }

    package mutating func adjust(afterSending count: Int, in time: Duration) {
        if time < Self.targetDuration.lowerBound, count >= bytes { bytes = min(bytes * 2, maximum) }
        if time > Self.targetDuration.upperBound { bytes = max(bytes / 2, Self.minimum) }
    }

    /// Reduces the size after a part that exceeded a limit the server had not announced; returns whether a smaller part can be tried.
    mutating func shrink(below count: Int) -> Bool {
        guard count > Self.minimum / 16 else { return false }
        reducedMaximum = count / 2
        return true
    }
}
