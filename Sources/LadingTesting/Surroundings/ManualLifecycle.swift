public import LadingHTTP

/// A program that comes to the front and leaves it when it is told to.
public final class ManualLifecycle: AppLifecycle {
    private let told: ToldState<AppPhase>

    public init(_ phase: AppPhase = .active) {
        told = ToldState(phase)
    }

    public var phase: AppPhase { told.value }

    public func phases() -> AsyncStream<AppPhase> { told.values() }

    public func become(_ phase: AppPhase) { told.become(phase) }
}
