public import LadingHTTP

/// A network whose state a test sets.
public final class ManualConnectivity: Connectivity {
    private let source: StateSource<ConnectivityState>

    public init(_ state: ConnectivityState = .unmetered) {
        source = StateSource(state)
    }

    public var state: ConnectivityState { source.value }

    public func states() -> AsyncStream<ConnectivityState> { source.values() }

    public func setState(_ state: ConnectivityState) { source.set(state) }
}
