import LadingOperations
import Synchronization

/// Lets requests wait for the flight of another: the shell of `CacheFlights`.
final class CacheQueue: Sendable {
    private struct State {
        var flights = CacheFlights()
        var waiters: [UInt64: [UInt64: CheckedContinuation<Void, Never>]] = [:]
        /// Waiters that were cancelled before they began to wait.
        var gone: Set<UInt64> = []
        var count: UInt64 = 0
    }

    /// The part that a request has in a flight.
    enum Turn {
        /// It asks.
        case leads(CacheFlights.Flight)
        /// Another one asked, and may be done with it.
        case waited
    }

    private let state = Mutex(State())
    private let stopwatch: Stopwatch
    private let patience: Duration

    /// - Parameter patience: How long a request waits for another one: whoever is first may read slowly.
    init(patience: Duration, _ stopwatch: Stopwatch) {
        self.patience = patience
        self.stopwatch = stopwatch
    }

    /// The time by which a look at what is kept is dated.
    var releases: UInt64 { state.withLock { $0.flights.releases } }

    /// Begins a flight, or waits until the one with this key needs nobody to wait for it any more, or for as long as patience lasts.
    /// Says at once that one has waited when another was done since the look.
    ///
    /// - Parameter look: What `releases` was before the request looked at what is kept.
    /// - Throws: `CancellationError`.
    func turn(in group: String, key: String?, since look: UInt64) async throws -> Turn {
        let (part, waiter) = state.withLock { state in
            state.count += 1
            return (state.flights.join(in: group, key: key, since: look), state.count)
        }
        switch part {
        case .leads(let flight): return .leads(flight)
        case .looksAgain: break
        case .waits(let flight): await wait(as: waiter, for: flight, key)
        }
        try Task.checkCancellation()
        return .waited
    }

    private func wait(as waiter: UInt64, for flight: CacheFlights.Flight, _ key: String?) async {
        await withTaskGroup { group in
            group.addTask { await self.release(of: flight, key, tells: waiter) }
            group.addTask { [stopwatch, patience] in try? await stopwatch.sleep(stopwatch.elapsed() + patience) }
            await group.next()
            group.cancelAll()
        }
        _ = state.withLock { $0.gone.remove(waiter) }
    }

    private func release(of flight: CacheFlights.Flight, _ key: String?, tells waiter: UInt64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, as: waiter, for: flight, key) }
        } onCancel: {
            leave(waiter, flight)
        }
    }

    private func wait(
        _ continuation: CheckedContinuation<Void, Never>, as waiter: UInt64, for flight: CacheFlights.Flight, _ key: String?
    ) {
        let isOver = state.withLock { state in
            guard state.gone.remove(waiter) == nil, let key, state.flights.leader(of: key) == flight else { return true }
            state.waiters[flight.number, default: [:]][waiter] = continuation
            return false
        }
        if isOver { continuation.resume() }
    }

    private func leave(_ waiter: UInt64, _ flight: CacheFlights.Flight) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if let continuation = state.waiters[flight.number]?.removeValue(forKey: waiter) { return continuation }
            state.gone.insert(waiter)
            return nil
        }
        continuation?.resume()
    }

    /// Lets those go on who wait for a flight: its reply is kept, or will not be.
    func release(_ flight: CacheFlights.Flight) {
        finish(flight) { $0.release(flight) }
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

    func void(_ group: String, but flight: CacheFlights.Flight) {
        state.withLock { $0.flights.void(group, but: flight) }
    }

    func isVoid(_ flight: CacheFlights.Flight) -> Bool { state.withLock { $0.flights.isVoid(flight) } }
}
