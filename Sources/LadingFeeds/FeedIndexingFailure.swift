/// The failure of rows that could not be loaded in the background and so are neither filtered nor sorted.
public struct FeedIndexingFailure: Sendable {
    /// The number of failed rows.
    public let count: Int
    /// Whether indexing stopped before the remaining rows because the last ones failed in succession.
    public let isStopped: Bool
    /// The error of the most recently failed row.
    public let error: any Error

    /// Creates a failure, for tests and previews.
    public init(count: Int, isStopped: Bool, error: any Error) {
        (self.count, self.isStopped, self.error) = (count, isStopped, error)
    }
}
