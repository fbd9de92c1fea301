/// The result of an operation. A class, so that the operations of a flight share it, and testing for nil copies no value.
final class OperationCompletion: Sendable {
    let result: Result<AnyOperation.Value, any Error>
    /// The completion status of a flight with this result.
    let status: CompletionStatus

    static let cancelled = OperationCompletion(error: CancellationError())

    init(value: AnyOperation.Value) {
        result = .success(value)
        status = .succeeded
    }

    init(error: any Error) {
        result = .failure(error)
        status = error is CancellationError ? .cancelled : .failed
    }

    convenience init(_ result: Result<some Sendable, any Error>) {
        switch result {
        case .success(let value): self.init(value: value)
        case .failure(let error): self.init(error: error)
        }
    }

    /// The final state of an operation with this result.
    var state: OperationState {
        switch status {
        case .succeeded: .succeeded
        case .cancelled: .cancelled
        case .failed, .dependencyFailed, .expired: .failed
        }
    }

    /// Returns the completion of a waiter with the given status, whose flight or dependency completed with this one.
    func completion(for status: CompletionStatus) -> OperationCompletion {
        if status == self.status { return self }
        switch (status, result) {
        case (.failed, .failure): return self
        case (.dependencyFailed, .failure(let error)):
            return OperationCompletion(error: OperationError.dependencyFailed(OperationError.rootCause(of: error)))
        case (.expired, _): return OperationCompletion(error: OperationError.deadlineExceeded)
        case (.cancelled, _): return .cancelled
        default: preconditionFailure("the status does not match the completion")
        }
    }
}
