public import Foundation
import HTTPTypes
import Observers
import Synchronization
import Timing

/// A monitor of unresponsive hosts, which reports when they respond again.
///
/// ```swift
/// let monitor = ReachabilityMonitor()
/// let client = BackendClient(executor: executor, retries: RetryControl(), reachability: monitor)
/// for await change in monitor.changes() where change.isReachable { list.retry() }
/// ```
///
/// The client reports each exchange. During `run`, an unresponsive host is probed at growing intervals; any response ends that state, to a probe or
/// to any other request. A host that then responds with failures is probed further, and reported again once it recovers. One monitor serves all
/// clients of a program.
public final class ReachabilityMonitor: Sendable {
    /// The maximum number of changes that are buffered for a reader; the oldest are dropped.
    package static let changeLimit = 256

    private struct State {
        var reachability: Reachability
        /// The effects for `run` to perform; nil while it does not run.
        var probeEffects: AsyncStream<Reachability.Effect>.Continuation?
    }

    private let state: Mutex<State>
    private let observers = Observers<ReachabilityChange>()
    private let limits: ReachabilityLimits
    private let stopwatch: Stopwatch
    private let jitter: @Sendable () -> Double

    /// Creates a monitor, which probes hosts while `run` runs.
    ///
    /// - Parameters:
    ///   - clock: The clock that measures delays.
    ///   - jitter: Returns a random number in 0..<1.
    public init(
        limits: ReachabilityLimits = ReachabilityLimits(), clock: some Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.limits = limits
        self.jitter = jitter
        stopwatch = Stopwatch(clock)
        state = Mutex(State(reachability: Reachability(limits)))
    }

    /// Returns whether the host of a URL responds, as far as is known.
    public func isReachable(_ url: URL) -> Bool {
        state.withLock { $0.reachability.isReachable(url.authority ?? "") }
    }

    /// Returns the changes from now on; each call returns a separate sequence.
    ///
    /// The interval between notifications that a host is reachable grows while the host soon fails again. A slow reader misses the oldest changes.
    /// The sequence ends when the task that reads it is cancelled or the monitor is deallocated.
    public func changes() -> AsyncStream<ReachabilityChange> {
        observers.add(bufferingPolicy: .bufferingNewest(Self.changeLimit))
    }

    /// Reports a failure of a host, once the work that failed can be retried.
    ///
    /// A host that has responded before the failure was reported is notified once more, after a delay.
    public func reportFailure(_ error: any Error) {
        guard let error = error.hostFailure, let host = error.url.authority else { return }
        handle(.failureReported(host: host, hasResponse: !error.isHostUnresponsive, jitter: jitter()))
    }

    /// Probes failing hosts without waiting for their delays: the network is back, or a consumer has begun to wait for them.
    public func probeNow() { handle(.probeNow) }

    /// Probes unresponsive hosts until the task is cancelled. Only one call may run at a time.
    ///
    /// - Parameters:
    ///   - client: The client that sends the probes, without its interceptors and its cache.
    ///   - hasWaiters: Returns whether consumers wait for hosts to respond.
    public nonisolated(nonsending) func run(through client: BackendClient, while hasWaiters: @escaping @Sendable () -> Bool = { true })
        async
    {
        let prober = client.probeClient
        // The stream is bounded: each host has one probe in flight, and there is one timer.
        let (work, continuation) = AsyncStream<Reachability.Effect>.makeStream()
        state.withLock { state in
            precondition(state.probeEffects == nil, "a monitor is already running: call run() again after it has returned")
            state.probeEffects = continuation
        }
        handle(.probingStarted(hasWaiters: hasWaiters()))
        var timer: Task<Void, Never>?
        await withDiscardingTaskGroup { group in
            for await effect in work {
                switch effect {
                case .scheduleTimer(let time):
                    timer?.cancel()
                    timer = Task { await self.wait(until: time, hasWaiters) }
                case .probe(let host, let message): group.addTask { await self.probe(host, message, through: prober) }
                case .notify: break
                }
            }
            group.cancelAll()
        }
        timer?.cancel()
        state.withLock { $0.probeEffects = nil }
    }

    private func wait(until time: Duration, _ hasWaiters: @Sendable () -> Bool) async {
        guard (try? await stopwatch.sleep(time)) != nil else { return }
        handle(.timerFired(hasWaiters: hasWaiters()))
    }

    private func probe(_ host: String, _ message: RequestMessage, through client: BackendClient) async {
        var pause: Duration?
        do {
            // The client reports the response as soon as it begins; its body is not read.
            try await client.exchange(message, redirects: 0, headTimeout: limits.probeTimeout) { _, _, _ in }
        } catch {
            if case BackendError.circuitOpen(_, let rest) = error { pause = rest }
        }
        handle(.probeEnded(host: host, retryAfter: pause, jitter: jitter()))
    }

    private func handle(_ kind: Reachability.Kind) {
        let time = stopwatch.elapsed()
        state.withLock { state in
            var effects: [Reachability.Effect] = []
            state.reachability.handle(.init(kind: kind, time: time), effects: &effects)
            for effect in effects {
                if case .notify(let change) = effect { observers.append(change) } else { state.probeEffects?.yield(effect) }
            }
        }
        observers.deliver()
    }
}

// MARK: - Reports of clients

extension ReachabilityMonitor {
    /// Reports that a response has begun.
    func reportResponse(from url: URL, _ status: HTTPResponse.Status) {
        guard !state.withLock({ $0.reachability.hasNoFailedHosts }), let host = url.authority else { return }
        handle(.responded(host: host, isHealthy: HostOutcome(status) == .succeeded))
    }

    /// Reports an attempt that failed or was rejected.
    ///
    /// - Parameter hasResponse: Whether a response had begun; a host whose response is interrupted does respond.
    func reportFailedAttempt(of message: RequestMessage, _ error: any Error, hasResponse: Bool) {
        guard let error = error as? BackendError, error.isHostUnresponsive else { return }
        if case .circuitOpen(_, let pause) = error {
            handle(.circuitOpen(message, retryAfter: pause))
        } else if hasResponse {
            reportFailure(error)
        } else {
            handle(.noResponse(message, jitter: jitter()))
        }
    }
}
