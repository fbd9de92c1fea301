import Decisions
import LadingTransfers

/// The decisions of an event stream: when it is opened and reopened, and which events are delivered.
///
/// | state | event → next state, effects |
/// |---|---|
/// | idle | begin → open, open |
/// | open | put, patch, keep-alive → deliver · cancel → ended, fail · auth_revoked, rejected token → open, deliver interrupted, open with a new token; ended, fail when there is none or the last one was new |
/// | open | transient failure → open, deliver interrupted, open after a delay; ended, fail after too many in a row · other failure → ended, fail |
/// | ended | – |
///
/// A `put` or a `patch` resets the failures. An interruption is delivered once until then.
struct DatabaseListenerStateMachine: Decision {
    /// The configuration shared by all streams of a database.
    struct Configuration: Sendable {
        var retryPolicy: TransferRetryPolicy
        /// Whether the token can be refreshed.
        var canRefreshToken: Bool
        /// Returns a uniformly distributed number in 0..<1.
        var jitter: @Sendable () -> Double
    }

    enum Event {
        case begin
        case signal(DatabaseEvent.Signal)
        case failed(AttemptFailure)
        /// The server rejected the token, for this reason.
        case tokenRejected(String)
    }

    enum Effect {
        /// Opens the stream after a delay, with another token than before if requested.
        case open(after: Duration, refreshingToken: Bool)
        case deliver(DatabaseEvent)
        case fail(any Error)
    }

    private enum State { case idle, open, ended }

    private let path: DatabasePath
    private let configuration: Configuration
    private var state = State.idle
    private var failures = 0
    private var hasRefreshedToken = false
    private var isInterrupted = false

    init(_ path: DatabasePath, _ configuration: Configuration) {
        self.path = path
        self.configuration = configuration
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch (state, event) {
        case (.idle, .begin):
            state = .open
            effects.append(.open(after: .zero, refreshingToken: false))
        case (.open, .signal(let signal)): process(signal, &effects)
        case (.open, .tokenRejected(let reason)): refreshToken(reason, &effects)
        case (.open, .failed(let failure)): reconnect(after: failure, &effects)
        default: break
        }
    }

    private mutating func process(_ signal: DatabaseEvent.Signal, _ effects: inout [Effect]) {
        switch signal {
        case .event(.keepAlive): effects.append(.deliver(.keepAlive))
        case .event(let event):
            (failures, hasRefreshedToken, isInterrupted) = (0, false, false)
            effects.append(.deliver(event))
        case .cancel(let reason): end(RealtimeDatabase.Failure.cancelled(path, reason: reason), &effects)
        case .authRevoked(let reason): refreshToken(reason, &effects)
        case .other: break
        }
    }

    private mutating func refreshToken(_ reason: String, _ effects: inout [Effect]) {
        guard configuration.canRefreshToken, !hasRefreshedToken else {
            return end(RealtimeDatabase.Failure.authenticationRevoked(reason), &effects)
        }
        hasRefreshedToken = true
        interrupt(&effects)
        effects.append(.open(after: .zero, refreshingToken: true))
    }

    private mutating func reconnect(after failure: AttemptFailure, _ effects: inout [Effect]) {
        failures += 1
        guard failure.isTransient,
            let delay = configuration.retryPolicy.delay(after: failures, retryAfter: failure.retryAfter, jitter: configuration.jitter())
        else {
            return end(failure.error, &effects)
        }
        interrupt(&effects)
        effects.append(.open(after: delay, refreshingToken: false))
    }

    private mutating func interrupt(_ effects: inout [Effect]) {
        if !isInterrupted { effects.append(.deliver(.interrupted)) }
        isInterrupted = true
    }

    private mutating func end(_ error: any Error, _ effects: inout [Effect]) {
        state = .ended
        effects.append(.fail(error))
    }
}
