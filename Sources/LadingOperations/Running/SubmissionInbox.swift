import Synchronization

/// Where plain operations are left for a lane that has no slot to spare.
///
/// There is nothing to be decided about them yet. So whoever submits one does not wait for the lock of the queue, and does not fetch what it guards
/// from the processor of a worker. Whoever has that lock next takes them in before anything else. They are left only while each slot of their lane is
/// taken: the end of what runs there is the latest at which somebody comes.
final class SubmissionInbox: Sendable {
    struct Letter {
        let operation: AnyOperation
        let claim: Claim
        /// When it was left; zero where no record is kept.
        let time: Duration
    }

    private struct State {
        /// What letters are left for; nil while there is no such lane.
        var lane: Lane?
        var letters: [Letter] = []
    }

    /// So many letters there is always room for, when there has been once.
    static let keptLetters = 1_024

    private let state = Mutex(State())

    /// Leaves an operation that is to run in this queue; false when it has to be submitted there.
    func leave(_ letter: Letter, for queue: BackendQueue) -> Bool {
        state.withLock { state in
            guard state.lane == letter.operation.lane, letter.operation.post(to: queue) else { return false }
            state.letters.append(letter)
            return true
        }
    }

    /// Takes out what has been left. The array is empty before, and its memory is used for what will be left.
    func take(_ letters: inout [Letter]) {
        state.withLock { swap(&$0.letters, &letters) }
    }

    /// Opens for a lane, or closes for all, and takes out what has been left until then.
    func open(for lane: Lane?, taking letters: inout [Letter]) {
        state.withLock { state in
            state.lane = lane
            swap(&state.letters, &letters)
        }
    }
}
