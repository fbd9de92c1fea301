/// A failure that is not the end: the work is tried again.
public struct RetryEvent: Sendable {
    /// Why the attempt failed.
    public let error: any Error
    /// How long it is until the next attempt may begin.
    public let delay: Duration
}

extension BackendOperation {
    /// The last setback of its work, or of anything that it waits for; nil when there was none.
    ///
    /// Of those before it was submitted it knows what befell the flight that it joined.
    public var lastRetry: RetryEvent? { erased.lastRetry }

    /// Calls back at each setback of its work, or of anything that it waits for, until it has ended; on whichever thread they happen.
    ///
    /// - Returns: The operation, so that it can be submitted.
    @discardableResult
    public func onRetry(_ observer: @escaping @Sendable (RetryEvent) -> Void) -> Self {
        erased.onRetry(observer)
        return self
    }
}
