import LadingOperations

/// Decides what becomes of a transfer as attempts end and people change their minds.
///
/// | state | event → next state, effects |
/// |---|---|
/// | pending | begin, resume, restart → queued, run · pause → paused, note · cancel → cancelled, discard, note |
/// | queued, running | began → running · done → finished, note · restart → stopping to be queued, stop · broke, worth another try → waiting, wait · broke otherwise → failed, note (discard) · pause, cancel, release → stopping, stop |
/// | stopping | stopped, broke → what was asked for last · done → finished, note · pause, resume, restart, cancel, release → stopping for that |
/// | waiting | due, resume, restart → queued, run · pause → paused, note · cancel → cancelled, discard, note · release → pending, note |
/// | paused, failed | resume, restart → queued, run · cancel → cancelled, discard, note |
/// | finished, cancelled | nothing |
///
/// Whatever is not in the table changes nothing. Between `run` and the end of that attempt nothing else is written to the journal: the attempt writes there.
struct TransferStateMachine: Decision {
    enum State: Equatable {
        case pending
        /// An attempt was asked for, and waits for a slot.
        case queued
        case running
        /// The attempt was told to stop.
        case stopping(StateAfterStopping)
        /// Another attempt follows after a pause.
        case waiting
        case paused
        case finished
        case failed
        case cancelled
    }

    /// What a transfer is to be once its attempt has stopped.
    enum StateAfterStopping: Equatable {
        case paused, cancelled
        /// To be left for another program, or for another day.
        case released
        /// To begin again: somebody changed his mind.
        case queued
    }

    enum Event {
        case start, started, done, stopped, retryDue
        /// - Parameter moved: Whether the attempt brought anything.
        case failed(AttemptFailure, madeProgress: Bool)
        case pause, resume, cancel, release
        /// To go on, and not with the attempt that is under way.
        case restart
    }

    enum Effect: Equatable {
        /// Begin an attempt.
        case run
        /// End the attempt under way.
        case stop
        /// Tell when it is time for another attempt.
        case scheduleRetry(Duration)
        case cancelRetry
        /// Remove what the transfer has left on disk, and at the server.
        case discard
        /// Write the state to the journal.
        case save
    }

    private(set) var state: State
    /// Attempts that failed in a row without having moved anything.
    private(set) var failures = 0
    private let retryPolicy: TransferRetryPolicy
    private let jitter: @Sendable () -> Double

    init(_ status: TransferStatus = .pending, retryPolicy: TransferRetryPolicy, jitter: @escaping @Sendable () -> Double) {
        state = State(status)
        self.retryPolicy = retryPolicy
        self.jitter = jitter
    }

    var status: TransferStatus {
        switch state {
        case .pending, .queued, .waiting: .pending
        case .running, .stopping: .running
        case .paused: .paused
        case .finished: .finished
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch (state, event) {
        case (.queued, .started): state = .running
        case (.queued, .done), (.running, .done), (.stopping, .done): transition(to: .finished, [.save], &effects)
        case (.queued, .failed(let trouble, let moved)), (.running, .failed(let trouble, let moved)):
            fail(trouble, madeProgress: moved, &effects)
        case (.queued, .stopped), (.running, .stopped): transition(to: .pending, [.save], &effects)
        case (.stopping(let goal), .stopped), (.stopping(let goal), .failed): finishStopping(goal, &effects)
        case (.waiting, .retryDue): transition(to: .queued, [.run], &effects)
        default: handleCommand(event, &effects)
        }
    }

    /// What people want.
    private mutating func handleCommand(_ event: Event, _ effects: inout [Effect]) {
        switch (state, event) {
        case (.pending, .start), (.pending, .resume), (.pending, .restart), (.paused, .resume), (.paused, .restart), (.failed, .resume),
            (.failed, .restart):
            failures = 0
            transition(to: .queued, [.run], &effects)
        case (.waiting, .resume), (.waiting, .restart): transition(to: .queued, [.cancelRetry, .run], &effects)
        case (.queued, .restart), (.running, .restart): transition(to: .stopping(.queued), [.stop], &effects)
        case (.queued, .pause), (.running, .pause): transition(to: .stopping(.paused), [.stop], &effects)
        case (.queued, .cancel), (.running, .cancel): transition(to: .stopping(.cancelled), [.stop], &effects)
        case (.queued, .release), (.running, .release): transition(to: .stopping(.released), [.stop], &effects)
        case (.stopping(let goal), _) where goal != .cancelled: if let goal = StateAfterStopping(event) { state = .stopping(goal) }
        case (.pending, .pause): transition(to: .paused, [.save], &effects)
        case (.waiting, .pause): transition(to: .paused, [.cancelRetry, .save], &effects)
        case (.waiting, .cancel): transition(to: .cancelled, [.cancelRetry, .discard, .save], &effects)
        case (.waiting, .release): transition(to: .pending, [.cancelRetry, .save], &effects)
        case (.pending, .cancel), (.paused, .cancel), (.failed, .cancel): transition(to: .cancelled, [.discard, .save], &effects)
        default: break
        }
    }

    private mutating func fail(_ failure: AttemptFailure, madeProgress: Bool, _ effects: inout [Effect]) {
        failures = madeProgress ? 1 : failures + 1
        if failure.isTransient, let delay = retryPolicy.delay(after: failures, retryAfter: failure.retryAfter, jitter: jitter()) {
            transition(to: .waiting, [.scheduleRetry(delay)], &effects)
        } else {
            transition(to: .failed, failure.retainsPartialData ? [.save] : [.discard, .save], &effects)
        }
    }

    private mutating func finishStopping(_ target: StateAfterStopping, _ effects: inout [Effect]) {
        switch target {
        case .paused: transition(to: .paused, [.save], &effects)
        case .cancelled: transition(to: .cancelled, [.discard, .save], &effects)
        case .released: transition(to: .pending, [.save], &effects)
        case .queued: transition(to: .queued, [.run], &effects)
        }
    }

    private mutating func transition(to next: State, _ added: [Effect], _ effects: inout [Effect]) {
        state = next
        effects += added
    }
}

extension TransferStateMachine.State {
    /// Where a transfer begins that a journal tells of: one that was running when its program ended goes on.
    fileprivate init(_ status: TransferStatus) {
        switch status {
        case .pending, .running: self = .pending
        case .paused: self = .paused
        case .finished: self = .finished
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}

extension TransferStateMachine.StateAfterStopping {
    fileprivate init?(_ event: TransferStateMachine.Event) {
        switch event {
        case .pause: self = .paused
        case .resume, .restart: self = .queued
        case .cancel: self = .cancelled
        case .release: self = .released
        default: return nil
        }
    }
}
