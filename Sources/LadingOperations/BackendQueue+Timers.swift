import Synchronization
import Timing

extension BackendQueue {
    func limitColdStart(of flight: FlightID) {
        let end = stopwatch.elapsed() + AdaptiveConcurrency.coldStartTimeout
        change { $0.handle(.limitColdStart(flight, until: end)) }
    }

    /// Sets the timer to this time, replacing the previous one.
    func setTimer(at time: Duration) {
        let timer = task { [weak self, stopwatch] in
            guard (try? await stopwatch.sleep(time)) != nil else { return }
            self?.change { state in
                state.handle(.fireTimers(stopwatch.elapsed()), completion: OperationCompletion(error: OperationError.deadlineExceeded))
            }
        }
        let previous = state.withLock { state -> Task<Void, Never>? in
            // Another thread may have set an earlier timer in the meantime.
            guard state.schedule.nextWakeTime == time else { return timer }
            defer { state.timer = timer }
            return state.timer
        }
        previous?.cancel()
    }
}
