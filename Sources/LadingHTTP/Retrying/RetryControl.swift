public import Foundation
package import HTTPTypes
public import LadingOperations
import Synchronization
import Timing

/// The retries of requests, and the circuit breakers of hosts.
///
/// `RetryPolicy` decides which failures are retried. Each host has a budget of retries, and a circuit breaker that fails requests at once with
/// `BackendError.circuitOpen` while the host fails. One control serves all clients of a program.
///
/// ```swift
/// let client = BackendClient(executor: executor, retries: RetryControl())
/// ```
public final class RetryControl: Sendable {
    /// The default number of hosts to track; those used last.
    public static let hostLimit = 256

    private struct Host {
        var budget: RetryBudget
        var circuit: CircuitBreaker
    }

    private let policy: RetryPolicy
    private let budget: RetryBudgetLimits
    private let circuit: CircuitLimits
    private let elapsed: @Sendable () -> Duration
    private let now: @Sendable () -> Date
    private let jitter: @Sendable () -> Double
    private let hosts: Mutex<RecentHosts<Host>>

    /// Creates a retry control without known hosts.
    ///
    /// - Parameters:
    ///   - clock: The clock that measures windows and delays.
    ///   - now: Returns the time of day, for servers that send a `Retry-After` date without a `Date`.
    ///   - jitter: Returns a random number in 0..<1 for each delay.
    public init(
        policy: RetryPolicy = RetryPolicy(), budget: RetryBudgetLimits = RetryBudgetLimits(), circuit: CircuitLimits = CircuitLimits(),
        hostLimit: Int = RetryControl.hostLimit, clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }, jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.policy = policy
        self.budget = budget
        self.circuit = circuit
        self.elapsed = Stopwatch(clock).elapsed
        self.now = now
        self.jitter = jitter
        self.hosts = Mutex(RecentHosts(limit: hostLimit))
    }

    // MARK: Retries

    /// Returns the delay before the next attempt at a request; nil when there is none.
    ///
    /// A retry is charged to the budget of the host that failed: that of the message, or the token server (`BearerTokenInterceptor.Failure`).
    ///
    /// - Parameters:
    ///   - error: The error of the last attempt.
    ///   - attempt: The number of attempts so far, including the last.
    package func delay(after error: any Error, attempt: Int, for message: RequestMessage) -> Duration? {
        let delay = policy.delay(after: error, attempt: attempt, for: message, now: now(), jitter: jitter())
        let failing = Self.url(failing: error) ?? message.url
        guard let delay, withHost(of: failing, { host, now in host.budget.tryConsume(at: now) }) else { return nil }
        return delay
    }

    /// Returns the URL of the host that failed instead of that of the message; nil when that one failed.
    private static func url(failing error: any Error) -> URL? {
        ((error as? BearerTokenInterceptor.Failure)?.cause as? BackendError)?.url
    }

    /// Returns the retry rule of an operation that makes this request.
    public func operationRetry(for message: RequestMessage) -> OperationRetry {
        OperationRetry { error, attempt in self.delay(after: error, attempt: attempt, for: message) }
    }

    // MARK: Circuit breakers

    /// The permission to send one request; pass it to `end`, however the exchange ends.
    package struct Admission: Sendable {
        fileprivate let message: RequestMessage
        fileprivate let circuit: CircuitBreaker.Admission
    }

    /// Admits an attempt.
    ///
    /// - Throws: `BackendError.circuitOpen` when the circuit of the host is open.
    package func admit(_ message: RequestMessage) throws -> Admission {
        let action = withHost(of: message.url) { host, now in
            let action = host.circuit.request(at: now)
            if case .admit = action { host.budget.recordRequest(at: now) }
            return action
        }
        switch action {
        case .admit(let circuit): return Admission(message: message, circuit: circuit)
        case .failFast(let pause): throw BackendError.circuitOpen(message.url, retryAfter: pause)
        }
    }

    /// Records that a response has begun, whose body may take long; `end` must still follow.
    package func responseStarted(_ admission: Admission, with status: HTTPResponse.Status) {
        withHost(of: admission.message.url) { host, now in
            host.circuit.responseStarted(admission.circuit, HostOutcome(status), at: now)
        }
    }

    /// Records the result of an attempt.
    package func end(_ admission: Admission, with result: Result<HTTPResponse.Status, any Error>) {
        let outcome =
            switch result {
            case .success(let status): HostOutcome(status)
            case .failure(let error): HostOutcome(error)
            }
        withHost(of: admission.message.url) { host, now in host.circuit.end(admission.circuit, outcome, at: now) }
    }

    // MARK: Connectivity

    /// Admits a probe to each host with an open circuit as soon as the network is back.
    ///
    /// Failures without a network do not indicate the state of a host, and are discarded.
    ///
    /// Returns when no further state follows or the task is cancelled.
    public nonisolated(nonsending) func observe(_ connectivity: some Connectivity) async {
        var wasOffline = false
        for await state in connectivity.states() {
            if wasOffline, state != .offline { resetAfterReconnect() }
            wasOffline = state == .offline
        }
    }

    private func resetAfterReconnect() {
        let now = elapsed()
        hosts.withLock { hosts in
            hosts.updateAll { host in host.circuit.reconnect(at: now) }
        }
    }

    private func withHost<Outcome: Sendable>(
        of url: URL, _ body: (inout Host, Duration) -> Outcome
    ) -> Outcome {
        let now = elapsed()
        return hosts.withLock { hosts in
            hosts.withValue(for: url.authority ?? "") {
                Host(budget: RetryBudget(budget, at: now), circuit: CircuitBreaker(circuit))
            } _: {
                body(&$0, now)
            }
        }
    }
}
