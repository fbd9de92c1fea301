import Synchronization
import Timing

/// The shell of `CacheFlights`, in which requests wait for the flight of another one.
final class CacheFlightCoordinator: Sendable {
    private struct State {
        var flights = CacheFlights()
        var waiters: [UInt64: [UInt64: CheckedContinuation<Void, Never>]] = [:]
        /// The waiters that were cancelled before they began to wait.
        var cancelledWaiters: Set<UInt64> = []
        var lastWaiter: UInt64 = 0
    }

    /// The role of a request in a flight.
    enum JoinResult {
        /// The request is forwarded.
        case forward(CacheFlights.Flight)
        /// The request has waited for another one, whose response may be stored now.
        case waited
    }

    private let state = Mutex(State())
    private let stopwatch: Stopwatch
    private let timeout: Duration

    /// - Parameter timeout: The maximum wait for another request, whose receiver may read slowly.
    init(timeout: Duration, _ stopwatch: Stopwatch) {
        self.timeout = timeout
        self.stopwatch = stopwatch
    }

    /// The number of released flights. `join` compares it with its value before a lookup.
    var releaseCount: UInt64 { state.withLock { $0.flights.releaseCount } }

    /// Begins a flight, or waits until the one with this key is released or the timeout expires. Returns
    /// `waited` at once when such a flight was released since the lookup.
    ///
    /// - Parameters:
    ///   - seenReleases: The value of `releaseCount` before the lookup.
    ///   - arrival: The value of `releaseCount` before the first lookup; nil if this is the first.
    /// - Throws: `CancellationError`.
    func join(in group: String, key: String?, since seenReleases: UInt64, arrival: UInt64? = nil) async throws -> JoinResult {
        let (result, waiter) = state.withLock { state in
            state.lastWaiter += 1
            return (state.flights.join(in: group, key: key, since: seenReleases, arrival: arrival), state.lastWaiter)
        }
        switch result {
        case .forward(let flight): return .forward(flight)
        case .retryLookup: break
        case .wait(let flight): await wait(as: waiter, for: flight, key)
        }
        try Task.checkCancellation()
        return .waited
    }

    private func wait(as waiter: UInt64, for flight: CacheFlights.Flight, _ key: String?) async {
        await withTaskGroup { group in
            group.addTask { await self.waitForRelease(of: flight, key, waiter: waiter) }
            group.addTask { [stopwatch, timeout] in try? await stopwatch.sleep(stopwatch.elapsed() + timeout) }
            await group.next()
            group.cancelAll()
        }
        _ = state.withLock { $0.cancelledWaiters.remove(waiter) }
    }

    private func waitForRelease(of flight: CacheFlights.Flight, _ key: String?, waiter: UInt64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { addWaiter($0, as: waiter, for: flight, key) }
        } onCancel: {
            cancel(waiter, flight)
        }
    }

    private func addWaiter(
        _ continuation: CheckedContinuation<Void, Never>, as waiter: UInt64, for flight: CacheFlights.Flight, _ key: String?
    ) {
        let isOver = state.withLock { state in
            guard state.cancelledWaiters.remove(waiter) == nil, let key, state.flights.leader(of: key) == flight else { return true }
            state.waiters[flight.number, default: [:]][waiter] = continuation
            return false
        }
        if isOver { continuation.resume() }
    }

    private func cancel(_ waiter: UInt64, _ flight: CacheFlights.Flight) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if let continuation = state.waiters[flight.number]?.removeValue(forKey: waiter) { return continuation }
            state.cancelledWaiters.insert(waiter)
            return nil
        }
        continuation?.resume()
    }

    /// Resumes the requests that wait for a flight: its response is stored, or will not be.
    func release(_ flight: CacheFlights.Flight, isUnstorable: Bool = false) {
        finish(flight) { $0.release(flight, isUnstorable: isUnstorable) }
    }

    func end(_ flight: CacheFlights.Flight) {
        finish(flight) { $0.end(flight) }
    }

    private func finish(_ flight: CacheFlights.Flight, _ change: (inout CacheFlights) -> Void) {
        let waiters = state.withLock { state in
            change(&state.flights)
            return state.waiters.removeValue(forKey: flight.number) ?? [:]
        }
        for waiter in waiters.values { waiter.resume() }
    }

    func invalidate(_ group: String, except flight: CacheFlights.Flight) {
        state.withLock { $0.flights.invalidate(group, except: flight) }
    }

    func isInvalidated(_ flight: CacheFlights.Flight) -> Bool { state.withLock { $0.flights.isInvalidated(flight) } }
}
