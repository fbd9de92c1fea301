/// Where an operation is on its way.
public enum OperationState: String, Sendable {
    /// Not submitted yet.
    case new
    /// Operations that it depends on have not ended.
    case waiting
    /// Whether its conditions hold is being found out.
    case checking
    /// It starts when it is resumed.
    case paused
    /// It starts when its lane has a slot for it.
    case ready
    /// It starts when another operation of its exclusion has ended.
    case excluded
    case running
    /// It failed, and is tried again later.
    case awaitingRetry = "resting"
    case succeeded, failed, cancelled

    /// Whether it has come to its end.
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
        case .running, .nearlyComplete, .interrupted: self = .running
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
