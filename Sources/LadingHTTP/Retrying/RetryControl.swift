public import Foundation
public import HTTPTypes
public import LadingOperations
import Synchronization

/// Says which requests are attempted again, and when; and leaves hosts alone that fail.
///
/// What is worth another attempt is decided by `RetryPolicy`. For each host there is a budget of retries, and a circuit breaker that answers
/// at once with `BackendError.circuitOpen` while the host fails. One control serves all clients of a program.
///
/// ```swift
/// let client = BackendClient(executor: executor, retries: RetryControl())
/// ```
public final class RetryControl: Sendable {
    /// How many hosts are remembered, unless told otherwise; those used last.
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
    private let random: @Sendable () -> Double
    private let hosts: Mutex<RecentHosts<Host>>

    /// - Parameters:
    ///   - clock: Measures windows and pauses.
    ///   - now: The time of day, for servers that tell a date but not what time they have themselves.
    ///   - random: Draws a number evenly from 0..<1.
    public init(
        policy: RetryPolicy = RetryPolicy(), budget: RetryBudgetLimits = RetryBudgetLimits(), circuit: CircuitLimits = CircuitLimits(),
        hostLimit: Int = RetryControl.hostLimit, clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.policy = policy
        self.budget = budget
        self.circuit = circuit
        self.elapsed = Stopwatch(clock).elapsed
        self.now = now
        self.random = random
        self.hosts = Mutex(RecentHosts(limit: hostLimit))
    }

    // MARK: Whether to try again

    /// How long to wait before the next attempt at a request; nil gives it up.
    ///
    /// What is granted is taken from the budget of the host that failed: that of the message, or the one that had no token for it
    /// (`BearerTokenInterceptor.Failure`).
    ///
    /// - Parameters:
    ///   - error: Why the last attempt failed.
    ///   - attempt: How many attempts there have been, that one included.
    public func delay(after error: any Error, attempt: Int, for message: RequestMessage) -> Duration? {
        let delay = policy.delay(after: error, attempt: attempt, for: message, now: now(), jitter: random())
        let failing = Self.url(failing: error) ?? message.url
        guard let delay, withHost(of: failing, { host, now in host.budget.tryWithdraw(at: now) }) else { return nil }
        return delay
    }

    /// Who failed instead of the host of a message; nil when it was that one.
    private static func url(failing error: any Error) -> URL? {
        ((error as? BearerTokenInterceptor.Failure)?.cause as? BackendError)?.url
    }

    /// The same for the attempts of an operation that makes this request.
    public func retry(of message: RequestMessage) -> OperationRetry {
        OperationRetry { error, attempt in self.delay(after: error, attempt: attempt, for: message) }
    }

    // MARK: Around an attempt

    /// The leave to ask a host once; to be handed back with `end`, however the exchange ended.
    public struct Admission: Sendable {
        fileprivate let message: RequestMessage
        fileprivate let circuit: CircuitBreaker.Admission
    }

    /// Lets an attempt begin.
    ///
    /// - Throws: `BackendError.circuitOpen` when the host is to be left alone.
    public func admit(_ message: RequestMessage) throws -> Admission {
        let effect = withHost(of: message.url) { host, now in
            var effects: [CircuitBreaker.Effect] = []
            host.circuit.handle(.request(at: now), effects: &effects)
            if case .admit = effects.first { host.budget.deposit(at: now) }
            return effects.first
        }
        switch effect {
        case .admit(let circuit): return Admission(message: message, circuit: circuit)
        case .reject(let pause): throw BackendError.circuitOpen(message.url, retryAfter: pause)
        case nil: preconditionFailure("a circuit answers whoever asks")
        }
    }

    /// Learns that a reply has begun whose body may take long; `end` follows nevertheless.
    public func responseBegan(_ admission: Admission, with status: HTTPResponse.Status) {
        report(admission) { .responseBegan($0, HostOutcome(status), at: $1) }
    }

    /// Learns how an attempt ended.
    public func end(_ admission: Admission, with result: Result<HTTPResponse.Status, any Error>) {
        let outcome =
            switch result {
            case .success(let status): HostOutcome(status)
            case .failure(let error): HostOutcome(error)
            }
        report(admission) { .end($0, outcome, at: $1) }
    }

    // MARK: The network

    /// Lets open circuits find out at once whether their host works, whenever the network is back.
    ///
    /// What failed without a network says nothing about a host, and is forgotten.
    ///
    /// Returns when there will be no other state, or the task is cancelled.
    public nonisolated(nonsending) func observe(_ connectivity: some Connectivity) async {
        var wasOffline = false
        for await state in connectivity.states() {
            if wasOffline, state != .offline { resetAfterReconnection() }
            wasOffline = state == .offline
        }
    }

    private func resetAfterReconnection() {
        let now = elapsed()
        hosts.withLock { hosts in
            hosts.updateAll { host in
                var effects: [CircuitBreaker.Effect] = []
                host.circuit.handle(.reconnect(at: now), effects: &effects)
            }
        }
    }

    private func report(_ admission: Admission, _ event: @Sendable (CircuitBreaker.Admission, Duration) -> CircuitBreaker.Event) {
        withHost(of: admission.message.url) { host, now in
            var effects: [CircuitBreaker.Effect] = []
            host.circuit.handle(event(admission.circuit, now), effects: &effects)
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
