public import LadingHTTP

/// An app lifecycle whose phase a test sets.
public final class ManualLifecycle: AppLifecycle {
    private let source: StateSource<AppPhase>

    public init(_ phase: AppPhase = .active) {
        source = StateSource(phase)
    }

    public var phase: AppPhase { source.value }

    public func phases() -> AsyncStream<AppPhase> { source.values() }

    public func setPhase(_ phase: AppPhase) { source.set(phase) }
}
