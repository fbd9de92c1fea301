/// The scheduling rule behind a decision.
public enum SchedulingReason: Int, CaseIterable, Sendable {
    /// Operations with equal keys share one flight, which is cancelled with the last of them.
    case singleFlight = 1
    /// Visible work runs first, nearest to the middle of the viewport, fair between consumers.
    case visibleFirst = 2
    /// Rows that scroll past too quickly are not loaded; those at the landing are.
    case scrollVelocity = 3
    /// Work is keyed by identity, never by position.
    case rowIdentity = 4
    /// Results of an older generation are neither joined nor allowed to overwrite newer ones.
    case staleGeneration = 5
    /// A failure deletes no data.
    case failureKeepsData = 6
    /// A failure can be retried.
    case retryable = 7
    /// Dependents of a failed operation fail without running.
    case dependency = 8
    /// The state of the queue: pauses, exclusion groups, deadlines.
    case queueState = 9
}
