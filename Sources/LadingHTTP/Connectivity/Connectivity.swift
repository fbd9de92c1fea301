/// Knows whether the network can be used, and tells when that changes.
///
/// It is a hint and no promise: a request may fail while the network is there, and succeed when it is said not to be.
public protocol Connectivity: Sendable {
    var state: ConnectivityState { get }

    /// The state as it is, and then whenever it has changed; each call gives a sequence of its own.
    ///
    /// A reader that is slow misses states, never the newest. The sequence ends when there will be no other.
    func states() -> AsyncStream<ConnectivityState>
}

/// Whether the network can be used, and how freely.
public enum ConnectivityState: Sendable {
    case offline
    /// Bytes are dear, or the user has asked to save them.
    case metered
    case unmetered
}

/// A network that is always there: for servers, and for programs that would rather try.
public struct AlwaysConnected: Connectivity {
    public init() {}

    public var state: ConnectivityState { .unmetered }

    public func states() -> AsyncStream<ConnectivityState> { .just(state) }
}
