import Synchronization

/// A clock that advances only when a test advances it.
///
/// Timers fire in order of their deadlines, within the call of `advance`. A test waits for the code under test to set a timer with `nextTimer()`.
public final class ManualClock: Clock {
    public struct Instant: InstantProtocol {
        let offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Timer {
        var id: Int
        var deadline: Instant
        var sleeper: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var timers: [Timer] = []
        var lastID = 0
        /// The ids of timers that were cancelled before they were set.
        var cancelled: Set<Int> = []
        var timerObservers: [CheckedContinuation<Instant, Never>] = []
    }

    private let state = Mutex(State())

    public init() {}

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    public nonisolated(nonsending) func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sleeper in set(Timer(id: id, deadline: deadline, sleeper: sleeper)) }
        } onCancel: {
            cancel(id)
        }
    }

    /// Advances the time and fires due timers.
    public func advance(by duration: Duration) {
        let target = now.advanced(by: duration)
        while let timer = nextExpired(until: target) { timer.sleeper.resume() }
        state.withLock { $0.now = max($0.now, target) }
    }

    /// Returns the earliest deadline, after waiting for a timer if there is none. It ignores cancellation.
    public nonisolated(nonsending) func nextTimer() async -> Instant {
        await withCheckedContinuation { watcher in
            let deadline = state.withLock { state in
                let deadline = state.timers.map(\.deadline).min()
                if deadline == nil { state.timerObservers.append(watcher) }
                return deadline
            }
            if let deadline { watcher.resume(returning: deadline) }
        }
    }

    private func set(_ timer: Timer) {
        enum Outcome { case due, cancelled, waiting }
        typealias Watchers = [CheckedContinuation<Instant, Never>]
        let (outcome, watchers) = state.withLock { state -> (Outcome, Watchers) in
            if state.cancelled.remove(timer.id) != nil { return (Outcome.cancelled, []) }
            if timer.deadline <= state.now { return (Outcome.due, []) }
            state.timers.append(timer)
            defer { state.timerObservers = [] }
            return (Outcome.waiting, state.timerObservers)
        }
        switch outcome {
        case .due: timer.sleeper.resume()
        case .cancelled: timer.sleeper.resume(throwing: CancellationError())
        case .waiting: for watcher in watchers { watcher.resume(returning: timer.deadline) }
        }
    }

    private func cancel(_ id: Int) {
        let timer = state.withLock { state -> Timer? in
            guard let index = state.timers.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.timers.remove(at: index)
        }
        timer?.sleeper.resume(throwing: CancellationError())
    }

    private func nextExpired(until target: Instant) -> Timer? {
        state.withLock { state in
            guard let index = state.timers.indices.min(by: { state.timers[$0].deadline < state.timers[$1].deadline }),
                state.timers[index].deadline <= target
            else { return nil }
            state.now = max(state.now, state.timers[index].deadline)
            return state.timers.remove(at: index)
        }
    }
}
