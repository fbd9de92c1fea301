/// A change of the reachability of a host.
public struct ReachabilityChange: Hashable, Sendable {
    /// The name and port of the host, as in `URL.authority`: `example.org:8080`.
    public let host: String
    /// Whether the host responds, so that the work that failed because of it can be retried.
    public let isReachable: Bool

    /// Creates a change, for tests and previews.
    public init(host: String, isReachable: Bool) {
        (self.host, self.isReachable) = (host, isReachable)
    }
}
