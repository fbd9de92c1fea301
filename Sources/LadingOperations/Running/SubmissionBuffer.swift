import Synchronization

/// A buffer of plain operations that were submitted to a lane without free slots.
///
/// No decision is due for them, so that the submitting thread need not acquire the lock of the queue and fetch its memory from the cache of another
/// processor. The next thread that acquires that lock enqueues them first. The inbox is open only while all slots of its lane are occupied, so that
/// the end of running work drains it at the latest.
final class SubmissionBuffer: Sendable {
    struct Submission {
        let operation: AnyOperation
        let share: PriorityShare
        /// The time of submission; zero when nothing is recorded.
        let time: Duration
    }

    private struct State {
        /// The lane that the inbox accepts operations for; nil while it is closed.
        var lane: Lane?
        var submissions: [Submission] = []
    }

    /// The capacity that is retained between drains.
    static let retainedCapacity = 1_024

    private let state = Mutex(State())

    /// Appends an operation for this queue; returns false when the inbox is closed for its lane or the operation is not plain.
    func append(_ submission: Submission, for queue: BackendQueue) -> Bool {
        state.withLock { state in
            guard state.lane == submission.operation.lane, submission.operation.post(to: queue) else { return false }
            state.submissions.append(submission)
            return true
        }
    }

    /// Moves the submissions into an empty array, whose memory is reused for later ones.
    func drain(into submissions: inout [Submission]) {
        state.withLock { swap(&$0.submissions, &submissions) }
    }

    /// Opens the inbox for a lane, or closes it for nil, and drains it.
    func open(for lane: Lane?, drainingInto submissions: inout [Submission]) {
        state.withLock { state in
            state.lane = lane
            swap(&state.submissions, &submissions)
        }
    }
}
