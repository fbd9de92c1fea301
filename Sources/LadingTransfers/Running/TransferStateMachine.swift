import Decisions

/// The decisions of a transfer, from the results of its attempts and the commands of callers.
///
/// | state | event → next state, effects |
/// |---|---|
/// | pending, interrupted | start, resume, restart → queued, run · pause → paused, save · cancel → cancelled, discard, save |
/// | queued, running | started → running · done → finished, save · stopped → interrupted, save · restart → stopping to be queued, stop · transient failure → waiting, schedule a retry · other failure → failed, save (discard) · pause, cancel, release → stopping, stop |
/// | stopping | stopped, failed → the last requested state · done → finished, save · pause, resume, restart, cancel → stopping for that · release → stopping, to be pending unless it is to be paused or cancelled |
/// | waiting | retry due, resume, restart → queued, run · pause → paused, save · cancel → cancelled, discard, save · release → pending, save |
/// | paused, failed | resume, restart → queued, save, run · cancel → cancelled, discard, save |
/// | finished, cancelled | – |
///
/// Other events change nothing, and neither does a command after `release`, in any state. Between `run` and the end of that attempt the
/// machine emits neither `save` nor `discard`.
///
/// An attempt may refresh a refused URL until one has done so, and again after progress or when the count of failures starts anew.
struct TransferStateMachine: Decision {
    enum State: Equatable {
        case pending
        /// Pending, because the attempt was stopped without a command, such as by its queue.
        case interrupted
        /// An attempt was submitted and waits for a slot.
        case queued
        case running
        /// The attempt is being stopped.
        case stopping(StateAfterStopping)
        /// Another attempt follows after a delay.
        case waiting
        case paused
        case finished
        case failed
        case cancelled
    }

    /// The state of a transfer after its attempt has stopped.
    enum StateAfterStopping: Equatable {
        case paused, cancelled
        /// Pending, for another program or a later `restore`.
        case released
        /// Queued for another attempt.
        case queued
    }

    enum Event {
        case start, started, done, stopped, retryDue
        /// An attempt has failed.
        ///
        /// - Parameters:
        ///   - madeProgress: Whether the attempt transferred anything.
        ///   - refreshedURL: Whether the attempt refreshed a refused URL, after its progress.
        case failed(AttemptFailure, madeProgress: Bool, refreshedURL: Bool)
        case pause, resume, cancel
        /// Stops the attempt for good: the transfer belongs to another program or a later `restore`.
        case release
        /// Starts another attempt, in place of one in progress.
        case restart
        /// The record was changed, without an effect on the state.
        case recordChanged
    }

    enum Effect: Equatable {
        /// Starts an attempt.
        ///
        /// - Parameter mayRefreshURL: Whether the attempt may refresh the URL of a file without a received byte when the server refuses it.
        case run(mayRefreshURL: Bool)
        /// Stops the attempt in progress.
        case stop
        /// Sends `retryDue` after this delay.
        case scheduleRetry(Duration)
        case cancelRetry
        /// Removes the data of the transfer on disk and, without waiting for a response, at the server.
        case discard
        /// Writes the record to the journal.
        case save
    }

    private(set) var state: State
    /// Whether no further command is accepted, so that no attempt starts after the one being stopped.
    private var isReleased = false
    /// The number of consecutive failures without progress.
    private var failures = 0
    /// Whether the next attempt may refresh a refused URL.
    private var mayRefreshURL = true
    private let retryPolicy: TransferRetryPolicy
    private let jitter: @Sendable () -> Double

    init(_ status: TransferStatus = .pending, retryPolicy: TransferRetryPolicy, jitter: @escaping @Sendable () -> Double) {
        state = State(status)
        self.retryPolicy = retryPolicy
        self.jitter = jitter
    }

    var status: TransferStatus {
        switch state {
        case .pending, .interrupted, .queued, .waiting: .pending
        case .running, .stopping: .running
        case .paused: .paused
        case .finished: .finished
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }

    /// Whether a command is accepted. One to a transfer that has ended is, and changes nothing.
    var acceptsCommands: Bool { !isReleased || status.isFinal }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch (state, event) {
        case (.queued, .started): state = .running
        case (.queued, .done), (.running, .done), (.stopping, .done): transition(to: .finished, [.save], &effects)
        case (.queued, .failed(let failure, let madeProgress, let refreshedURL)),
            (.running, .failed(let failure, let madeProgress, let refreshedURL)):
            updateURLRefresh(madeProgress: madeProgress, refreshedURL: refreshedURL)
            fail(failure, madeProgress: madeProgress, &effects)
        case (.queued, .stopped), (.running, .stopped): transition(to: .interrupted, [.save], &effects)
        case (.stopping(let target), .stopped): finishStopping(target, &effects)
        case (.stopping(let target), .failed(_, let madeProgress, let refreshedURL)):
            updateURLRefresh(madeProgress: madeProgress, refreshedURL: refreshedURL)
            finishStopping(target, &effects)
        case (.waiting, .retryDue): run(&effects)
        default: handleCommand(event, &effects)
        }
    }

    /// Handles the commands of callers.
    private mutating func handleCommand(_ event: Event, _ effects: inout [Effect]) {
        guard acceptsCommands else { return }
        if case .release = event { isReleased = true }
        switch (state, event) {
        case (.pending, .start), (.pending, .resume), (.pending, .restart), (.interrupted, .start), (.interrupted, .resume),
            (.interrupted, .restart):
            failures = 0
            run(&effects)
        case (.paused, .resume), (.paused, .restart), (.failed, .resume), (.failed, .restart):
            failures = 0
            // A later process starts the transfer only if that is in the journal.
            run(after: [.save], &effects)
        case (.waiting, .resume), (.waiting, .restart): run(after: [.cancelRetry], &effects)
        case (.queued, .restart), (.running, .restart): transition(to: .stopping(.queued), [.stop], &effects)
        case (.queued, .pause), (.running, .pause): transition(to: .stopping(.paused), [.stop], &effects)
        case (.queued, .cancel), (.running, .cancel): transition(to: .stopping(.cancelled), [.stop], &effects)
        case (.queued, .release), (.running, .release): transition(to: .stopping(.released), [.stop], &effects)
        case (.stopping(.paused), .release): break
        case (.stopping(let target), _) where target != .cancelled: if let target = StateAfterStopping(event) { state = .stopping(target) }
        case (.pending, .pause), (.interrupted, .pause): transition(to: .paused, [.save], &effects)
        case (.waiting, .pause): transition(to: .paused, [.cancelRetry, .save], &effects)
        case (.waiting, .cancel): transition(to: .cancelled, [.cancelRetry, .discard, .save], &effects)
        case (.waiting, .release): transition(to: .pending, [.cancelRetry, .save], &effects)
        case (.pending, .cancel), (.interrupted, .cancel), (.paused, .cancel), (.failed, .cancel):
            transition(to: .cancelled, [.discard, .save], &effects)
        default: break
        }
    }

    /// Starts an attempt.
    private mutating func run(after others: [Effect] = [], _ effects: inout [Effect]) {
        if failures == 0 { mayRefreshURL = true }
        transition(to: .queued, others + [.run(mayRefreshURL: mayRefreshURL)], &effects)
    }

    /// Decides from a failed attempt whether the next one may refresh a refused URL.
    private mutating func updateURLRefresh(madeProgress: Bool, refreshedURL: Bool) {
        if madeProgress { mayRefreshURL = true }
        if refreshedURL { mayRefreshURL = false }
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
        case .queued: run(&effects)
        }
    }

    private mutating func transition(to next: State, _ added: [Effect], _ effects: inout [Effect]) {
        state = next
        effects += added
    }
}

extension TransferStateMachine.State {
    /// Creates the initial state from a journal: a transfer that was running when its process ended is pending.
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
