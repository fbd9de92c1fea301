import HTTPTypes
import LadingHTTP
import Synchronization

/// An executor that makes at most one request in an interval, and whose answers are stored for a fixed time, so that nothing is asked twice.
struct PacedExecutor<Base: BackendExecutor, Time: Clock<Duration>>: BackendExecutor {
    private final class Schedule: Sendable {
        let next = Mutex<Time.Instant?>(nil)
    }

    let base: Base
    let interval: Duration
    /// The time for which an answer is stored.
    let lifetime: Duration
    let clock: Time
    private let schedule = Schedule()

    init(_ base: Base, interval: Duration, lifetime: Duration, clock: Time) {
        (self.base, self.interval, self.lifetime, self.clock) = (base, interval, lifetime, clock)
    }

    nonisolated(nonsending) func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        let start = schedule.next.withLock { next in
            let start = max(next ?? clock.now, clock.now)
            next = start.advanced(by: interval)
            return start
        }
        if start > clock.now { try await clock.sleep(until: start, tolerance: nil) }
        return try await base.execute(message, timeLimit: timeLimit) { head, body in
            var head = head
            if head.status == .ok { head.headers[.cacheControl] = "max-age=\(lifetime.components.seconds)" }
            return try await receive(head, body)
        }
    }
}
