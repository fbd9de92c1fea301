/// The decisions of batches: which commands are executed together, and when.
///
/// A command begins at once while fewer than two batches run. Further ones wait, and form the next batch together: the more commands there are, the more of
/// them share a transaction. A batch that waits for a lock of the database does not delay the others for long: after an interval they begin beside it.
struct CommandQueue<Command> {
    /// The number of batches that keep further commands waiting.
    static var runningLimit: Int { 2 }
    /// The maximum number of commands of a batch.
    static var sizeLimit: Int { 32 }

    private var waiting: [Command] = []
    private var runningCount = 0
    /// The number of batches that have begun.
    private var begunCount = 0
    /// The number of batches that had begun at the end of the last interval.
    private var lastBegunCount = 0
    private var isTimed = false

    /// The consequence of a new command.
    enum Step {
        case begin([Command])
        /// The commands that wait begin at the end of a batch, or after intervals of time, which begin now.
        case startTimer
        case wait
    }

    mutating func add(_ command: Command) -> Step {
        waiting.append(command)
        if runningCount < Self.runningLimit { return .begin(nextBatch()) }
        if isTimed { return .wait }
        (isTimed, lastBegunCount) = (true, begunCount)
        return .startTimer
    }

    /// Ends a batch.
    ///
    /// - Returns: The next batch; nil if none begins now.
    mutating func endBatch() -> [Command]? {
        runningCount -= 1
        return waiting.isEmpty || runningCount >= Self.runningLimit ? nil : nextBatch()
    }

    /// Ends an interval of time.
    ///
    /// - Returns: The batch that begins in spite of those that run, because none has begun during the interval; and whether another interval follows.
    mutating func endInterval() -> (batch: [Command]?, continues: Bool) {
        defer { lastBegunCount = begunCount }
        guard !waiting.isEmpty else {
            isTimed = false
            return (nil, false)
        }
        return (begunCount == lastBegunCount ? nextBatch() : nil, true)
    }

    private mutating func nextBatch() -> [Command] {
        let batch = Array(waiting.prefix(Self.sizeLimit))
        waiting.removeFirst(batch.count)
        runningCount += 1
        begunCount += 1
        return batch
    }
}
