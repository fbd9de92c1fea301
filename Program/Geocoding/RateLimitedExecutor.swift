import HTTPTypes
import LadingHTTP
import Synchronization

/// An executor that makes at most one request in an interval, and whose valid responses are stored for a fixed time, so that no request is repeated.
struct RateLimitedExecutor<Base: BackendExecutor, Time: Clock<Duration>>: BackendExecutor {
    private final class Schedule: Sendable {
        let next = Mutex<Time.Instant?>(nil)
    }

    /// The maximum size of a response, in bytes.
    private static var sizeLimit: Int { 1 << 20 }

    let base: Base
    let interval: Duration
    /// The time for which a response is stored.
    let lifetime: Duration
    /// Whether a body with the status 200 is a valid response.
    let isValid: @Sendable ([UInt8]) -> Bool
    let clock: Time
    private let schedule = Schedule()

    init(_ base: Base, interval: Duration, lifetime: Duration, clock: Time, isValid: @escaping @Sendable ([UInt8]) -> Bool) {
        (self.base, self.interval, self.lifetime, self.clock, self.isValid) = (base, interval, lifetime, clock, isValid)
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
            guard head.status == .ok else { return try await receive(head, body) }
            var (head, bytes) = (head, [UInt8]())
            for try await chunk in body {
                bytes += chunk
                guard bytes.count <= Self.sizeLimit else { throw BackendError.bodyTooLarge(message.url, limit: Self.sizeLimit) }
            }
            head.headers[.cacheControl] = isValid(bytes) ? "max-age=\(lifetime.components.seconds)" : "no-store"
            var rest: [UInt8]? = bytes
            return try await receive(head, ResponseBody { rest.take() })
        }
    }
}
