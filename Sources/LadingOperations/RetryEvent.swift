/// A failed attempt that will be retried.
public struct RetryEvent: Sendable {
    /// The error of the attempt.
    public let error: any Error
    /// The delay before the next attempt.
    public let delay: Duration

    /// Creates an event, for tests and previews.
    public init(error: any Error, delay: Duration) {
        (self.error, self.delay) = (error, delay)
    }
}

extension BackendOperation {
    /// The last failed attempt of the work or of a dependency; nil when there was none.
    ///
    /// It includes earlier retries of a flight that the operation joined.
    public var lastRetry: RetryEvent? { erased.lastRetry }

    /// Calls the observer for each retry of the work or of a dependency until completion, on the thread where it occurs.
    ///
    /// - Returns: The operation itself, for chaining.
    @discardableResult
    public func onRetry(_ observer: @escaping @Sendable (RetryEvent) -> Void) -> Self {
        erased.onRetry(observer)
        return self
    }
}
