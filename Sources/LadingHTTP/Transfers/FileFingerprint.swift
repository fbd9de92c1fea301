/// What tells a file that has been written to from one that has not: its length and the moment of its last change.
public struct FileFingerprint: Hashable, Sendable {
    /// In bytes.
    public let size: Int
    /// In nanoseconds since 1970.
    public let modified: Int64

    public init(size: Int, modified: Int64) {
        self.size = size
        self.modified = modified
    }
}
