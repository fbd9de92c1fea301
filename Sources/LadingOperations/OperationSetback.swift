/// A failure that is not the end: the work is tried again.
public struct OperationSetback: Sendable {
    /// Why the attempt failed.
    public let error: any Error
    /// How long it is until the next attempt may begin.
    public let pause: Duration
}

extension BackendOperation {
    /// The last setback of its work, or of anything that it waits for; nil when there was none.
    ///
    /// Of those before it was submitted it knows what befell the flight that it joined.
    public var setback: OperationSetback? { erased.setback }

    /// Calls back at each setback of its work, or of anything that it waits for, until it has ended; on whichever thread they happen.
    ///
    /// - Returns: The operation, so that it can be submitted.
    @discardableResult
    public func onSetback(_ observer: @escaping @Sendable (OperationSetback) -> Void) -> Self {
        erased.onSetback(observer)
        return self
    }
}
