/// How an operation ended. An object, so that all who shared a flight share it, and asking whether there is one copies no value.
final class OperationEnd: Sendable {
    let result: Result<AnyOperation.Value, any Error>
    /// What becomes of a flight whose work ended so.
    let settlement: Settlement

    static let cancelled = OperationEnd(error: CancellationError())

    init(value: AnyOperation.Value) {
        result = .success(value)
        settlement = .succeeded
    }

    init(error: any Error) {
        result = .failure(error)
        settlement = error is CancellationError ? .cancelled : .failed
    }

    convenience init(_ result: Result<some Sendable, any Error>) {
        switch result {
        case .success(let value): self.init(value: value)
        case .failure(let error): self.init(error: error)
        }
    }

    /// The state of an operation that ended so.
    var state: OperationState {
        switch settlement {
        case .succeeded: .succeeded
        case .cancelled: .cancelled
        case .failed, .dependencyFailed, .expired: .failed
        }
    }

    /// How a wish with this settlement ends when its flight, or what it depended on, ended so.
    func end(of settlement: Settlement) -> OperationEnd {
        if settlement == self.settlement { return self }
        switch (settlement, result) {
        case (.failed, .failure): return self
        case (.dependencyFailed, .failure(let error)):
            return OperationEnd(error: OperationError.dependencyFailed(OperationError.rootCause(of: error)))
        case (.expired, _): return OperationEnd(error: OperationError.deadlineExceeded)
        case (.cancelled, _): return .cancelled
        default: preconditionFailure("a settlement tells of the end it came from")
        }
    }
}
