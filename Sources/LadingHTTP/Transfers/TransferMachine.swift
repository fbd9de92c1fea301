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
struct TransferMachine: Decision {
    enum State: Equatable {
        case pending
        /// An attempt was asked for, and waits for a slot.
        case queued
        case running
        /// The attempt was told to stop.
        case stopping(Goal)
        /// Another attempt follows after a pause.
        case waiting
        case paused
        case finished
        case failed
        case cancelled
    }

    /// What a transfer is to be once its attempt has stopped.
    enum Goal: Equatable {
        case paused, cancelled
        /// To be left for another program, or for another day.
        case released
        /// To begin again: somebody changed his mind.
        case queued
    }

    enum Event {
        case begin, began, done, stopped, due
        /// - Parameter moved: Whether the attempt brought anything.
        case broke(TransferTrouble, moved: Bool)
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
        case wait(Duration)
        case stopWaiting
        /// Remove what the transfer has left on disk, and at the server.
        case discard
        /// Write the state to the journal.
        case note
    }

    private(set) var state: State
    /// Attempts that failed in a row without having moved anything.
    private(set) var failures = 0
    private let patience: TransferPatience
    private let luck: @Sendable () -> Double

    init(_ status: TransferStatus = .pending, patience: TransferPatience, luck: @escaping @Sendable () -> Double) {
        state = State(status)
        self.patience = patience
        self.luck = luck
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
        case (.queued, .began): state = .running
        case (.queued, .done), (.running, .done), (.stopping, .done): become(.finished, [.note], &effects)
        case (.queued, .broke(let trouble, let moved)), (.running, .broke(let trouble, let moved)):
            fail(trouble, moved: moved, &effects)
        case (.queued, .stopped), (.running, .stopped): become(.pending, [.note], &effects)
        case (.stopping(let goal), .stopped), (.stopping(let goal), .broke): reach(goal, &effects)
        case (.waiting, .due): become(.queued, [.run], &effects)
        default: obey(event, &effects)
        }
    }

    /// What people want.
    private mutating func obey(_ event: Event, _ effects: inout [Effect]) {
        switch (state, event) {
        case (.pending, .begin), (.pending, .resume), (.pending, .restart), (.paused, .resume), (.paused, .restart), (.failed, .resume),
            (.failed, .restart):
            failures = 0
            become(.queued, [.run], &effects)
        case (.waiting, .resume), (.waiting, .restart): become(.queued, [.stopWaiting, .run], &effects)
        case (.queued, .restart), (.running, .restart): become(.stopping(.queued), [.stop], &effects)
        case (.queued, .pause), (.running, .pause): become(.stopping(.paused), [.stop], &effects)
        case (.queued, .cancel), (.running, .cancel): become(.stopping(.cancelled), [.stop], &effects)
        case (.queued, .release), (.running, .release): become(.stopping(.released), [.stop], &effects)
        case (.stopping(let goal), _) where goal != .cancelled: if let goal = Goal(event) { state = .stopping(goal) }
        case (.pending, .pause): become(.paused, [.note], &effects)
        case (.waiting, .pause): become(.paused, [.stopWaiting, .note], &effects)
        case (.waiting, .cancel): become(.cancelled, [.stopWaiting, .discard, .note], &effects)
        case (.waiting, .release): become(.pending, [.stopWaiting, .note], &effects)
        case (.pending, .cancel), (.paused, .cancel), (.failed, .cancel): become(.cancelled, [.discard, .note], &effects)
        default: break
        }
    }

    private mutating func fail(_ trouble: TransferTrouble, moved: Bool, _ effects: inout [Effect]) {
        failures = moved ? 1 : failures + 1
        if trouble.isPassing, let delay = patience.delay(after: failures, wish: trouble.wait, luck: luck()) {
            become(.waiting, [.wait(delay)], &effects)
        } else {
            become(.failed, trouble.keepsBytes ? [.note] : [.discard, .note], &effects)
        }
    }

    private mutating func reach(_ goal: Goal, _ effects: inout [Effect]) {
        switch goal {
        case .paused: become(.paused, [.note], &effects)
        case .cancelled: become(.cancelled, [.discard, .note], &effects)
        case .released: become(.pending, [.note], &effects)
        case .queued: become(.queued, [.run], &effects)
        }
    }

    private mutating func become(_ next: State, _ added: [Effect], _ effects: inout [Effect]) {
        state = next
        effects += added
    }
}

extension TransferMachine.State {
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

extension TransferMachine.Goal {
    fileprivate init?(_ event: TransferMachine.Event) {
        switch event {
        case .pause: self = .paused
        case .resume, .restart: self = .queued
        case .cancel: self = .cancelled
        case .release: self = .released
        default: return nil
        }
    }
}
