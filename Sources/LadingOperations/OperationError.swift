import ErrorDescriptions
public import Foundation

/// The error of an operation whose work did not run or exceeded its deadline. Errors of the work itself are passed on unchanged.
///
/// Cancellation is not a failure: it completes an operation with Swift's `CancellationError`.
public enum OperationError: Error {
    /// A dependency failed with the given error; the work did not run.
    case dependencyFailed(any Error)
    /// The operation that the work produced, with this name, depends on the operation itself.
    case cycle(String)
    /// The operation had not completed by its deadline.
    case deadlineExceeded
    /// The operation was submitted after the queue had been shut down.
    case queueShutDown

    /// Returns the original failure of a chain of failed dependencies.
    public static func rootCause(of error: any Error) -> any Error {
        var error = error
        while case OperationError.dependencyFailed(let cause) = error { error = cause }
        return error
    }
}

extension OperationError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    /// A description in one line. Of a chain of failed dependencies it names the original failure.
    public var description: String {
        switch self {
        case .dependencyFailed(let cause): "a dependency failed".appending(cause: Self.rootCause(of: cause))
        case .cycle(let name): "the operation “\(name)” depends on itself: remove the dependency"
        case .deadlineExceeded: "the deadline was exceeded"
        case .queueShutDown: "the queue was shut down: submit the operation to another queue"
        }
    }
}
