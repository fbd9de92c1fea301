import Decisions

/// The evaluations of a query while rows become known: one at a time, each after a delay. A synchronous value.
///
/// | state | `schedule` | `timerFired` | `ended` |
/// |---|---|---|---|
/// | idle | scheduled, `startTimer` | | |
/// | scheduled | scheduled, without a delay `startTimer` | running, unless the timer was replaced | |
/// | running | running, another evaluation follows after the shortest delay | | idle, or scheduled for the other evaluation |
struct QueryEvaluation: Decision, Sendable {
    enum Event: Sendable {
        /// The query or the rows have changed.
        case schedule(after: Duration)
        case timerFired(number: Int)
        /// - `repeatAfter`: the delay of another evaluation, unless a change has scheduled one; nil for none.
        case ended(repeatAfter: Duration?)
    }

    enum Effect: Equatable, Sendable {
        /// Start a timer, which replaces an earlier one.
        case startTimer(number: Int, after: Duration)
    }

    private enum State: Sendable {
        case idle
        case scheduled
        case running(rerunAfter: Duration?)
    }

    private var state = State.idle
    /// The number of the last timer. The others were replaced.
    private var lastNumber = 0

    /// Whether the query is being evaluated since the timer with a number has fired.
    func isRunning(number: Int) -> Bool {
        if case .running = state { number == lastNumber } else { false }
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch (event, state) {
        case (.schedule(let delay), .idle): startTimer(after: delay, &effects)
        case (.schedule(let delay), .scheduled): if delay == .zero { startTimer(after: delay, &effects) }
        case (.schedule(let delay), .running(let earlier)): state = .running(rerunAfter: min(earlier ?? delay, delay))
        case (.timerFired(lastNumber), .scheduled): state = .running(rerunAfter: nil)
        case (.ended(let repeatDelay), .running(let rerunDelay)):
            state = .idle
            if let delay = rerunDelay ?? repeatDelay { startTimer(after: delay, &effects) }
        case (.timerFired, _), (.ended, _): break
        }
    }

    private mutating func startTimer(after delay: Duration, _ effects: inout [Effect]) {
        state = .scheduled
        lastNumber += 1
        effects.append(.startTimer(number: lastNumber, after: delay))
    }
}
