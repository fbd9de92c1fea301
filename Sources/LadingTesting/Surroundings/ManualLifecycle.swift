public import LadingHTTP

/// An app lifecycle whose phase a test sets.
public final class ManualLifecycle: AppLifecycle {
    private let manualState: ManualState<AppPhase>

    public init(_ phase: AppPhase = .active) {
        manualState = ManualState(phase)
    }

    public var phase: AppPhase { manualState.value }

    public func phases() -> AsyncStream<AppPhase> { manualState.values() }

    public func setPhase(_ phase: AppPhase) { manualState.set(phase) }
}
