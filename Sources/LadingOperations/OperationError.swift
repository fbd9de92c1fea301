/// Why an operation ended without running its work. What the work itself throws is passed on as it is.
///
/// Cancellation is no failure: it ends an operation with Swift's `CancellationError`.
public enum OperationError: Error {
    /// An operation that this one depends on failed, for the reason given; this one did not run.
    case dependencyFailed(any Error)
    /// The operation was to go on with one of this name, which waits for the operation itself.
    case cycle(String)
    /// It had not ended by its deadline.
    case deadlineExceeded
    /// The queue had been shut down.
    case queueShutDown

    /// The failure at the beginning of a chain of failed dependencies.
    public static func rootCause(of error: any Error) -> any Error {
        var error = error
        while case OperationError.dependencyFailed(let cause) = error { error = cause }
        return error
    }
}

extension OperationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .dependencyFailed(let cause): "what it depends on failed: \(cause)"
        case .cycle(let name): "it would wait for itself through \"\(name)\""
        case .deadlineExceeded: "it did not end by its deadline"
        case .queueShutDown: "its queue has been shut down"
        }
    }
}
