/// Where a flight is on its way.
///
/// ```
/// waiting → (checking →) (held →) ready → (excluded → ready →) running → (landing →) gone
///                                                              running → resting → (held →) ready
///                                                              running → continuing → gone
/// ```
/// From each of them it is gone when nobody wants it any more, though a running one stays, interrupted, until its work has ended, and one
/// that is being checked stays, abandoned, until its check has.
enum FlightPhase: Equatable, Sendable {
    /// For this many dependencies.
    case waiting(Int)
    /// For its conditions.
    case checking
    /// Checking, but nobody wants it any more.
    case checkInterrupted
    /// Everybody who wants it has paused it.
    case paused
    /// For a slot of its lane.
    case ready
    /// For another flight to end that must not run at the same time.
    case excluded
    case running
    /// Running, and so near its end that it goes on although nobody may want it any more.
    case nearlyComplete
    /// Running, but nobody wants it any more.
    case interrupted
    /// Its work failed and is to be tried again when its time has come.
    case awaitingRetry
    /// Its work ended by naming another wish whose end is its own.
    case continuing

    /// Whether it has a slot of its lane.
    var hasSlot: Bool {
        switch self {
        case .running, .nearlyComplete, .interrupted: true
        case .waiting, .checking, .checkInterrupted, .paused, .ready, .excluded, .awaitingRetry, .continuing: false
        }
    }

    /// Whether it waits for something out of the ordinary.
    var isAlwaysReported: Bool {
        switch self {
        case .checking, .paused, .excluded, .awaitingRetry: true
        case .waiting, .checkInterrupted, .ready, .running, .nearlyComplete, .interrupted, .continuing: false
        }
    }
}
