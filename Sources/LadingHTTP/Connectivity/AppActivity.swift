import Observers
import Synchronization

/// A lifecycle whose phase the app sets, and that is not in the background while the app performs work there.
///
/// ```swift
/// let activity = AppActivity(.background)
/// async let pausing: Void = queue.observe(activity)
/// await activity.perform { await model.refresh() }
/// ```
///
/// A queue that observes it executes the work of a background launch, or of time that the system grants, and pauses afterwards.
public final class AppActivity: AppLifecycle {
    private struct State {
        var appPhase: AppPhase
        /// The number of calls of `perform` in progress.
        var workCount = 0

        var phase: AppPhase { appPhase == .background && workCount > 0 ? .inactive : appPhase }
    }

    private let observers = Observers<AppPhase>()
    private let state: Mutex<State>

    /// Creates a lifecycle in a phase: the background for a process that the system may start there.
    public init(_ phase: AppPhase) {
        state = Mutex(State(appPhase: phase))
    }

    /// The phase of the app; `inactive` instead of `background` while `perform` runs.
    public var phase: AppPhase { state.withLock(\.phase) }

    public func phases() -> AsyncStream<AppPhase> {
        state.withLock { observers.add(bufferingPolicy: .bufferingNewest(1), first: $0.phase) }
    }

    /// Sets the phase of the app.
    public func setPhase(_ phase: AppPhase) { change { $0.appPhase = phase } }

    /// Performs work for which the phase is not `background`. It requests no time of the system: the caller does.
    ///
    /// - Throws: Errors of the work.
    public nonisolated(nonsending) func perform<Outcome>(
        _ work: nonisolated(nonsending) () async throws -> Outcome
    ) async rethrows -> Outcome {
        change { $0.workCount += 1 }
        defer { change { $0.workCount -= 1 } }
        return try await work()
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            let before = state.phase
            body(&state)
            if state.phase != before { observers.append(state.phase) }
        }
        observers.deliver()
    }
}
