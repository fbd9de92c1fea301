public import LadingHTTP

/// A network that comes and goes when it is told to.
public final class ManualConnectivity: Connectivity {
    private let manualState: ManualState<ConnectivityState>

    public init(_ state: ConnectivityState = .unmetered) {
        manualState = ManualState(state)
    }

    public var state: ConnectivityState { manualState.value }

    public func states() -> AsyncStream<ConnectivityState> { manualState.values() }

    public func setState(_ state: ConnectivityState) { manualState.set(state) }
}
