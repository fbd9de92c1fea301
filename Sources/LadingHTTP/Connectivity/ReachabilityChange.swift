/// A change of a host, which has stopped answering or answers again.
public struct ReachabilityChange: Hashable, Sendable {
    /// Its name and port, as `URL.authority` has them: `example.org:8080`.
    public let host: String
    /// Whether it answers, so that what failed because of it can be retried.
    public let isReachable: Bool
}
