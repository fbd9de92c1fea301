/// The scheduling rule behind a decision.
///
/// Raw values are stored in traces and recordings and are never reused; 3 and 6 are retired.
public enum SchedulingReason: Int, CaseIterable, Sendable {
    /// Operations with equal keys share one flight, which is interrupted once none of them waits for it.
    ///
    /// Recorded when an operation begins or joins a flight, succeeds or is cancelled, and when a flight is interrupted.
    case singleFlight = 1
    /// Visible work runs first, nearest to the middle of the viewport, fair between consumers. Recorded when a flight starts.
    case visibleFirst = 2
    /// The result was in memory under the identity of its row. Recorded instead of an operation.
    case rowIdentity = 4
    /// The running flight is older than the operation allows. Recorded when another flight is created for it.
    case staleGeneration = 5
    /// A failure can be retried. Recorded when an operation fails, or waits for a retry.
    case retryable = 7
    /// An operation starts after its dependencies and conditions. Recorded when conditions are checked, or a dependency has failed.
    case dependency = 8
    /// The operation may not run. Recorded when it is paused, its exclusion group is busy, or its deadline has passed.
    case queueState = 9
}
