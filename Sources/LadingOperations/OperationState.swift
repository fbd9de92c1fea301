/// The state of an operation.
public enum OperationState: String, Sendable {
    /// The operation has not been submitted.
    case new
    /// Dependencies have not completed.
    case waiting
    /// The conditions are being checked.
    case checking
    /// The operation starts after it is resumed.
    case paused
    /// The operation starts when its lane has a slot for it.
    case ready
    /// The operation starts after another one of its exclusion group has completed.
    case excluded
    case running
    /// The work failed and will be retried.
    case awaitingRetry
    case succeeded, failed, cancelled

    /// Whether the state is final.
    public var isCompleted: Bool { self == .succeeded || self == .failed || self == .cancelled }
}

extension OperationState {
    init(_ phase: FlightPhase) {
        switch phase {
        case .waiting, .continuing: self = .waiting
        case .checking, .checkInterrupted: self = .checking
        case .paused: self = .paused
        case .ready: self = .ready
        case .excluded: self = .excluded
        case .running, .finishing, .interrupted: self = .running
        case .awaitingRetry: self = .awaitingRetry
        }
    }

    init(_ result: Result<any Sendable, any Error>) {
        switch result {
        case .success: self = .succeeded
        case .failure(is CancellationError): self = .cancelled
        case .failure: self = .failed
        }
    }
}
