import HTTPTypes

extension ResponseHead {
    /// Whether a repetition of the request may succeed after a while.
    package var isTransientFailure: Bool { RetryPolicy.transientStatuses.contains(status.code) }
}
