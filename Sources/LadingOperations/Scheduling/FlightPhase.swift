/// The phase of a flight.
///
/// ```
/// waiting → (checking →) (paused →) ready → (excluded → ready →) running → (finishing →) removed
///                                                                running → awaitingRetry → (paused →) ready
///                                                                running → continuing → removed
/// ```
/// A flight is removed from any phase when it has no more waiters. A running one stays, interrupted, until its work has ended, and one that is
/// being checked stays until its check has ended.
enum FlightPhase: Equatable, Sendable {
    /// Waiting for this many dependencies.
    case waiting(Int)
    /// Checking its conditions.
    case checking
    /// Checking, without waiters.
    case checkInterrupted
    /// Paused by all of its waiters.
    case paused
    /// Waiting for a slot of its lane.
    case ready
    /// Waiting for another flight of its exclusion group to complete.
    case excluded
    case running
    /// Running, and completing even without waiters because little remains.
    case finishing
    /// Running, without waiters.
    case interrupted
    /// Waiting for the retry of failed work.
    case awaitingRetry
    /// Waiting for the waiter that its work produced, whose result becomes its own.
    case continuing

    /// Whether the flight occupies a slot of its lane.
    var hasSlot: Bool {
        switch self {
        case .running, .finishing, .interrupted: true
        case .waiting, .checking, .checkInterrupted, .paused, .ready, .excluded, .awaitingRetry, .continuing: false
        }
    }

    /// Whether a transition to this phase is reported for every flight, not just observed ones.
    var isAlwaysReported: Bool {
        switch self {
        case .checking, .paused, .excluded, .awaitingRetry: true
        case .waiting, .checkInterrupted, .ready, .running, .finishing, .interrupted, .continuing: false
        }
    }
}
