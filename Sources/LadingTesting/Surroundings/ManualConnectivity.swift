public import LadingHTTP

/// A network whose state a test sets.
public final class ManualConnectivity: Connectivity {
    private let manualState: ManualState<ConnectivityState>

    public init(_ state: ConnectivityState = .unmetered) {
        manualState = ManualState(state)
    }

    public var state: ConnectivityState { manualState.value }

    public func states() -> AsyncStream<ConnectivityState> { manualState.values() }

    public func setState(_ state: ConnectivityState) { manualState.set(state) }
}
