/// A source of the state of the network.
///
/// The state is a hint: a request may fail while there is a network, and succeed while it is reported offline. A `StateSource` is one whose state the
/// program sets.
public protocol Connectivity: Sendable {
    var state: ConnectivityState { get }

    /// Returns the current state, and then each change; each call returns a separate sequence.
    ///
    /// A slow reader misses states, but never the newest. The sequence ends when no further state follows.
    func states() -> AsyncStream<ConnectivityState>
}

/// The availability and the cost of the network.
public enum ConnectivityState: Sendable {
    case offline
    /// The network is expensive, or the user has requested to save data. Nothing is paused or reduced for it: like `unmetered` it means that there is
    /// a network. A program that saves data reads the state, and starts or pauses its own work by it.
    case metered
    case unmetered
}

/// A network that is always available, for servers and for programs that prefer to try.
public struct AlwaysConnected: Connectivity {
    public init() {}

    public var state: ConnectivityState { .unmetered }

    public func states() -> AsyncStream<ConnectivityState> { .just(state) }
}
