public import Foundation
import HTTPTypes
import LadingOperations
import Synchronization

/// Knows which hosts do not answer, and reports when one answers again.
///
/// ```swift
/// let monitor = ReachabilityMonitor()
/// let client = BackendClient(executor: executor, retries: RetryControl(), reachability: monitor)
/// for await change in monitor.changes() where change.isReachable { list.retry() }
/// ```
///
/// The client reports each exchange. While `run` runs, a host that does not answer is probed, ever more seldom; any response ends that state, to a probe or to any
/// other request. A host that answers with failures then is probed further, and reported again when it works. One monitor serves all clients of a program.
public final class ReachabilityMonitor: Sendable {
    /// How many changes a reader may be behind; of one who is further behind the oldest are dropped.
    public static let changeLimit = 256

    private struct State {
        var reachability: Reachability
        /// Where `run` takes its work from; nil while it does not run.
        var probeEffects: AsyncStream<Reachability.Effect>.Continuation?
        var lastReader = 0
        var readers: [Int: AsyncStream<ReachabilityChange>.Continuation] = [:]
    }

    private let state: Mutex<State>
    private let limits: ReachabilityLimits
    private let stopwatch: Stopwatch
    private let jitter: @Sendable () -> Double

    /// - Parameters:
    ///   - clock: Measures pauses.
    ///   - luck: Draws a number evenly from 0..<1.
    public init(
        limits: ReachabilityLimits = ReachabilityLimits(), clock: some Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.limits = limits
        self.jitter = jitter
        stopwatch = Stopwatch(clock)
        state = Mutex(State(reachability: Reachability(limits)))
    }

    /// Whether the host of a URL answers, as far as is known.
    public func isReachable(_ url: URL) -> Bool {
        state.withLock { $0.reachability.isReachable(url.authority ?? "") }
    }

    /// The changes from now on; each call returns a sequence of its own.
    ///
    /// Changes to reachable keep a distance, which grows while the host fails again soon after each.
    public func changes() -> AsyncStream<ReachabilityChange> {
        let (stream, reader) = AsyncStream<ReachabilityChange>.makeStream(bufferingPolicy: .bufferingNewest(Self.changeLimit))
        let id = state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = reader
            return state.lastReader
        }
        reader.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.readers.removeValue(forKey: id) } }
        return stream
    }

    /// Reports that something has failed because of its host, once the failure can be retried.
    ///
    /// The host may have answered meanwhile, when nobody knew of the failure yet: then it is reported once more, after a pause.
    public func reportFailure(_ error: any Error) {
        guard let error = error.hostFailure, let host = error.url.authority else { return }
        handle(.failureReported(host: host, hasResponse: !error.isHostUnresponsive, jitter: jitter()))
    }

    /// Probes hosts that do not work without waiting for the end of their pauses: the network is back, or somebody begins to wait for them.
    public func probeNow() { handle(.probeNow) }

    /// Probes hosts that do not answer, until the task is cancelled; it runs once at a time.
    ///
    /// - Parameters:
    ///   - client: Sends the probes, without its interceptors and past its cache.
    ///   - isWanted: Whether somebody waits for hosts to answer.
    public nonisolated(nonsending) func run(through client: BackendClient, while hasWaiters: @escaping @Sendable () -> Bool = { true }) async
    {
        let prober = client.probeClient
        // Of each host one probe is under way at a time, and there is one alarm.
        let (work, continuation) = AsyncStream<Reachability.Effect>.makeStream()
        state.withLock { state in
            precondition(state.probeEffects == nil, "a monitor runs once at a time")
            state.probeEffects = continuation
        }
        handle(.timerFired(hasWaiters: hasWaiters()))
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

    private func wait(until time: Duration, _ isWanted: @Sendable () -> Bool) async {
        guard (try? await stopwatch.sleep(time)) != nil else { return }
        handle(.timerFired(hasWaiters: isWanted()))
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
                guard case .notify(let change) = effect else {
                    state.probeEffects?.yield(effect)
                    continue
                }
                for reader in state.readers.values { reader.yield(change) }
            }
        }
    }
}

// MARK: - What clients report

extension ReachabilityMonitor {
    /// A response has begun.
    func reportResponse(from url: URL, _ status: HTTPResponse.Status) {
        guard !state.withLock({ $0.reachability.hasNoOutages }), let host = url.authority else { return }
        handle(.responded(host: host, isHealthy: HostOutcome(status) == .succeeded))
    }

    /// An attempt has failed, or was not made.
    ///
    /// - Parameter isAnswered: Whether a response had begun; a host whose response breaks off answers nevertheless.
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
