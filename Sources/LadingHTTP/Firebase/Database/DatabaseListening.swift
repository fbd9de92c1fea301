import LadingOperations

/// Decides when a stream of events is opened, and again after it broke; and what of it is handed on.
///
/// | state | event → next state, effects |
/// |---|---|
/// | idle | begin → open, open |
/// | open | put, patch, keep-alive → deliver · cancel → ended, fail · auth_revoked, a refused token → open, deliver interrupted, open with another token; ended, fail where there is none, or when it came to nothing |
/// | open | broke, worth another try → open, deliver interrupted, open after a while; ended, fail after too many in a row · broke otherwise → ended, fail |
/// | ended | nothing |
///
/// A `put` or a `patch` ends a row of failures. What broke is told once, until something arrives again.
struct DatabaseListening: Decision {
    /// What holds for all streams of a database.
    struct Rules: Sendable {
        var patience: TransferPatience
        /// Whether there may be another token.
        var canRenew: Bool
        /// Draws a number evenly from 0..<1.
        var luck: @Sendable () -> Double
    }

    enum Event {
        case begin
        case signal(DatabaseEvent.Signal)
        case broke(TransferTrouble)
        /// The token was refused, with these words of the server.
        case refused(String)
    }

    enum Effect {
        /// Open the stream after a while, with another token than before.
        case open(after: Duration, renewing: Bool)
        case deliver(DatabaseEvent)
        case fail(any Error)
    }

    private enum State { case idle, open, ended }

    private let path: DatabasePath
    private let rules: Rules
    private var state = State.idle
    private var failures = 0
    private var hasRenewed = false
    private var isInterrupted = false

    init(_ path: DatabasePath, _ rules: Rules) {
        self.path = path
        self.rules = rules
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch (state, event) {
        case (.idle, .begin):
            state = .open
            effects.append(.open(after: .zero, renewing: false))
        case (.open, .signal(let signal)): take(signal, &effects)
        case (.open, .refused(let reason)): renew(reason, &effects)
        case (.open, .broke(let trouble)): reopen(trouble, &effects)
        default: break
        }
    }

    private mutating func take(_ signal: DatabaseEvent.Signal, _ effects: inout [Effect]) {
        switch signal {
        case .event(.keepAlive): effects.append(.deliver(.keepAlive))
        case .event(let event):
            (failures, hasRenewed, isInterrupted) = (0, false, false)
            effects.append(.deliver(event))
        case .cancel: end(RealtimeDatabase.Failure.cancelled(path), &effects)
        case .authRevoked(let reason): renew(reason, &effects)
        case .other: break
        }
    }

    private mutating func renew(_ reason: String, _ effects: inout [Effect]) {
        guard rules.canRenew, !hasRenewed else { return end(RealtimeDatabase.Failure.authenticationRevoked(reason), &effects) }
        hasRenewed = true
        interrupt(&effects)
        effects.append(.open(after: .zero, renewing: true))
    }

    private mutating func reopen(_ trouble: TransferTrouble, _ effects: inout [Effect]) {
        failures += 1
        guard trouble.isPassing, let delay = rules.patience.delay(after: failures, wish: trouble.wait, luck: rules.luck()) else {
            return end(trouble.error, &effects)
        }
        interrupt(&effects)
        effects.append(.open(after: delay, renewing: false))
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
