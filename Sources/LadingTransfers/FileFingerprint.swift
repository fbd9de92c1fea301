/// The size and the modification time of a file, which differ once it has been written to.
public struct FileFingerprint: Hashable, Sendable {
    /// The size, in bytes.
    public let size: Int
    /// The modification time, in nanoseconds since 1970.
    public let modified: Int64

    public init(size: Int, modified: Int64) {
        self.size = size
        self.modified = modified
    }
}
