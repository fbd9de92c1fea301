public import LadingHTTP

/// A network that comes and goes when it is told to.
public final class ManualConnectivity: Connectivity {
    private let told: ToldState<ConnectivityState>

    public init(_ state: ConnectivityState = .unmetered) {
        told = ToldState(state)
    }

    public var state: ConnectivityState { told.value }

    public func states() -> AsyncStream<ConnectivityState> { told.values() }

    public func become(_ state: ConnectivityState) { told.become(state) }
}
