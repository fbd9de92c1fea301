/// The decisions of batches: which commands are executed together, and when.
///
/// A command begins at once while fewer than two batches run. Further ones wait, and form the next batch together: the more commands there
/// are, the more of them share a transaction. A batch that waits for a lock of the database does not delay the others for long: after an
/// interval they begin beside it, as long as fewer than six batches run.
///
/// A command is executed alone after a transaction that it shared was refused or has waited for a lock.
///
/// Commands of one order are executed one after the other, as they arrive: a command waits while a batch with its order runs. So a locked
/// order blocks one batch, and a batch changes each order once.
struct CommandQueue<Command: Sendable> {
    /// The number of running batches that keeps further commands waiting for an interval.
    static var preferredLimit: Int { 2 }
    /// The maximum number of running batches. Each has a connection; the other connections of the pool serve other requests.
    static var runningLimit: Int { 6 }
    /// The maximum number of commands of a batch.
    static var sizeLimit: Int { 32 }

    private struct WaitingCommand {
        let command: Command
        let isAlone: Bool
        let deadline: ContinuousClock.Instant
    }

    private let waitLimit: Duration
    private let order: @Sendable (Command) -> Int?
    /// The commands that wait, in the order of their arrival.
    private var waiting: [WaitingCommand] = []
    private var runningCount = 0
    private var runningOrders: Set<Int> = []
    /// Whether a batch has begun since the interval began.
    private var hasBegunInInterval = false
    private var isTimed = false

    /// The consequence of a new command.
    enum Step {
        case begin([Command])
        /// The commands that wait begin at the end of a batch, or after intervals of time, which begin now.
        case startTimer
        case wait
    }

    /// - Parameters:
    ///   - waitLimit: The time after which a command that has not begun expires.
    ///   - order: Returns the order of a command; nil for a new one.
    init(waitLimit: Duration, order: @escaping @Sendable (Command) -> Int?) {
        (self.waitLimit, self.order) = (waitLimit, order)
    }

    /// - Parameter isAlone: Whether the command shares no batch.
    mutating func add(_ command: Command, isAlone: Bool = false, at now: ContinuousClock.Instant) -> Step {
        waiting.append(WaitingCommand(command: command, isAlone: isAlone, deadline: now + waitLimit))
        if runningCount < Self.preferredLimit, let batch = nextBatch() { return .begin(batch) }
        if isTimed { return .wait }
        (isTimed, hasBegunInInterval) = (true, false)
        return .startTimer
    }

    /// Ends a batch.
    ///
    /// - Returns: The next batch; nil if none begins now.
    mutating func endBatch(_ batch: [Command]) -> [Command]? {
        runningCount -= 1
        runningOrders.subtract(batch.compactMap(order))
        return runningCount < Self.preferredLimit ? nextBatch() : nil
    }

    /// The consequences of the end of an interval.
    struct IntervalEnd {
        /// The batch that begins in spite of those that run, because none has begun during the interval; nil if there is none.
        var batch: [Command]?
        /// The commands that have waited too long. They are not executed.
        var expired: [Command] = []
        /// Whether another interval follows.
        var continues = true
    }

    /// Ends an interval of time.
    mutating func endInterval(at now: ContinuousClock.Instant) -> IntervalEnd {
        let expired = waiting.prefix { $0.deadline <= now }.map(\.command)
        waiting.removeFirst(expired.count)
        isTimed = !waiting.isEmpty
        let batch = hasBegunInInterval ? nil : nextBatch()
        hasBegunInInterval = false
        return IntervalEnd(batch: batch, expired: expired, continues: isTimed)
    }

    /// Begins a batch of the commands that have waited longest, without those whose order is already in a batch; nil if there are none.
    private mutating func nextBatch() -> [Command]? {
        guard runningCount < Self.runningLimit else { return nil }
        var (batch, others, room): ([Command], [WaitingCommand], Int) = ([], [], Self.sizeLimit)
        for entry in waiting {
            if room > 0, !entry.isAlone || batch.isEmpty, occupyOrder(of: entry.command) {
                batch.append(entry.command)
                room = entry.isAlone ? 0 : room - 1
            } else {
                others.append(entry)
            }
        }
        guard !batch.isEmpty else { return nil }
        waiting = others
        runningCount += 1
        hasBegunInInterval = true
        return batch
    }

    /// Returns whether no batch had the order of a command, which is in the next one from now on.
    private mutating func occupyOrder(of command: Command) -> Bool {
        order(command).map { runningOrders.insert($0).inserted } ?? true
    }
}
