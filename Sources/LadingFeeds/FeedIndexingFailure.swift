/// The rows that could not be loaded in the background, and so are neither found nor sorted.
public struct FeedIndexingFailure: Sendable {
    /// The number of rows that failed.
    public let count: Int
    /// Whether loading stopped before the other rows, because all of the last ones failed.
    public let isStopped: Bool
    /// The error of the row that failed last.
    public let error: any Error
}
