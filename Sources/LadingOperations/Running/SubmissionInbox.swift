import Synchronization

/// Where plain operations are left for a lane that has no slot to spare.
///
/// There is nothing to be decided about them yet. So whoever submits one does not wait for the lock of the queue, and does not fetch what it guards
/// from the processor of a worker. Whoever has that lock next takes them in before anything else. They are left only while each slot of their lane is
/// taken: the end of what runs there is the latest at which somebody comes.
final class SubmissionInbox: Sendable {
    struct Submission {
        let operation: AnyOperation
        let share: PriorityShare
        /// When it was left; zero where no record is kept.
        let time: Duration
    }

    private struct State {
        /// What letters are left for; nil while there is no such lane.
        var lane: Lane?
        var submissions: [Submission] = []
    }

    /// So many letters there is always room for, when there has been once.
    static let retainedCapacity = 1_024

    private let state = Mutex(State())

    /// Leaves an operation that is to run in this queue; false when it has to be submitted there.
    func append(_ submission: Submission, for queue: BackendQueue) -> Bool {
        state.withLock { state in
            guard state.lane == submission.operation.lane, submission.operation.post(to: queue) else { return false }
            state.submissions.append(submission)
            return true
        }
    }

    /// Takes out what has been left. The array is empty before, and its memory is used for what will be left.
    func drain(into submissions: inout [Submission]) {
        state.withLock { swap(&$0.submissions, &submissions) }
    }

    /// Opens for a lane, or closes for all, and takes out what has been left until then.
    func open(for lane: Lane?, drainingInto submissions: inout [Submission]) {
        state.withLock { state in
            state.lane = lane
            swap(&state.submissions, &submissions)
        }
    }
}
