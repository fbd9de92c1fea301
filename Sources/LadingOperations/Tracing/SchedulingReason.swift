/// The rule of the engine that a decision followed.
public enum SchedulingReason: Int, CaseIterable, Sendable {
    /// Wishes with one key share one flight, which is cancelled when the last of them leaves.
    case singleFlight = 1
    /// What is seen comes first, nearest to the middle, fair between viewers.
    case visibleFirst = 2
    /// What passes too quickly to be seen is not wished for; where the scroll lands is.
    case scrollVelocity = 3
    /// Work belongs to an identity, never to a position.
    case rowIdentity = 4
    /// What belongs to an older generation is not joined and never overwrites.
    case staleGeneration = 5
    /// A failure erases nothing.
    case failureKeepsData = 6
    /// A failure can be retried.
    case retryable = 7
    /// What depends on a failure fails unrun.
    case dependency = 8
    /// When something happens is decided by a value that time is told to.
    case queueState = 9
}
