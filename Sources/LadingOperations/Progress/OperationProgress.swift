import Synchronization
import Timing

/// The progress of work: completed units of a total. Other progress can be added as a child, with a weight in units of this one.
///
/// Operations, exchanges and transfers report to it, and its `updates` are the same snapshots for all of them. The work of an operation reports
/// through `OperationProgress.current`, which is nil elsewhere; an exchange reports to the progress that its caller passes.
///
/// ```swift
/// let sync = OperationProgress()
/// sync.add(categories.progress, weight: 1)
/// sync.add(pictures.progress, weight: 9)
/// for await progress in sync.updates() { bar.show(progress.fraction) }
/// ```
public final class OperationProgress: Sendable {
    /// The progress at one moment.
    public struct Snapshot: Hashable, Sendable {
        /// The completed units.
        public internal(set) var completed: Int
        /// The total number of units; nil while unknown.
        public internal(set) var total: Int?
        /// The unit of both numbers.
        public internal(set) var unit: ProgressUnit

        /// Creates the progress of a moment.
        public init(completed: Int, total: Int?, unit: ProgressUnit = .bytes) {
            self.completed = completed
            self.total = total
            self.unit = unit
        }

        /// The completed fraction, from 0 to 1; nil while the total is unknown.
        public var fraction: Double? {
            guard let total else { return nil }
            return total > 0 ? min(1, max(0, Double(completed) / Double(total))) : 1
        }
    }

    /// The default minimum interval between two updates of one reader.
    public static let updateInterval = Duration.milliseconds(50)

    /// The progress of the operation whose work runs in the current task; nil elsewhere.
    public static var current: OperationProgress? { RunningOperation.current?.progress }

    private struct State {
        var own = Snapshot(completed: 0, total: nil, unit: .parts)
        var children: [(progress: OperationProgress, weight: Int)] = []
        /// The progress that replaces this one, in its own units.
        var successor: OperationProgress?
        var parents: [Parent] = []
        var changes = 0
        var isFinished = false
        /// Whether all units count as completed, whatever was reported.
        var isComplete = false
        var readers: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastReaderID = 0
    }

    private struct Parent { weak var progress: OperationProgress? }

    private let state = Mutex(State())
    private let onReport: (@Sendable (Snapshot) -> Void)?
    /// Whether the progress is that of an operation, and finishes with it.
    private let isOfOperation: Bool

    public convenience init() { self.init(isOfOperation: false, onReport: nil) }

    /// Creates a progress whose reports are also passed to a closure, on the thread that reports.
    package convenience init(onReport: @escaping @Sendable (Snapshot) -> Void) {
        self.init(isOfOperation: false, onReport: onReport)
    }

    init(isOfOperation: Bool, onReport: (@Sendable (Snapshot) -> Void)?) {
        self.isOfOperation = isOfOperation
        self.onReport = onReport
    }

    /// Reports the number of units completed so far, and the total if known.
    ///
    /// - Parameter unit: The unit of both numbers. A queue considers only bytes when it decides whether a transfer is nearly complete.
    public func report(completed: Int, total: Int?, unit: ProgressUnit = .bytes) {
        let snapshot = Snapshot(completed: completed, total: total, unit: unit)
        state.withLock { $0.own = snapshot }
        onReport?(snapshot)
        notifyReaders()
    }

    /// Adds a child: completing it completes `weight` units of this progress, 0 or more.
    ///
    /// The graph must be acyclic.
    public func add(_ child: OperationProgress, weight: Int) {
        precondition(weight >= 0 && child !== self, "the weight must not be negative, and the child must be another progress")
        state.withLock { $0.children.append((child, weight)) }
        child.state.withLock { state in
            state.parents.removeAll { $0.progress == nil }
            state.parents.append(Parent(progress: self))
        }
        notifyReaders()
    }

    /// Replaces this progress by that of other work. Reported units no longer count.
    ///
    /// It may be called under the lock of the queue. `notifyReaders` follows after unlocking, because a resumed reader may wait for that lock.
    func setSuccessor(_ successor: OperationProgress) {
        // The queue fails operations that continue with each other; their progress must not do so.
        guard !successor.leads(to: self) else { return }
        state.withLock { $0.successor = successor }
        successor.state.withLock { $0.parents.append(Parent(progress: self)) }
    }

    /// Whether another progress is this one or one of its successors.
    private func leads(to other: OperationProgress) -> Bool {
        var next: OperationProgress? = self
        while let progress = next, progress !== other { next = progress.state.withLock { $0.successor } }
        return next != nil
    }

    /// The current progress.
    public var snapshot: Snapshot {
        let (own, children, successor, isComplete) = state.withLock { ($0.own, $0.children, $0.successor, $0.isComplete) }
        var snapshot = successor?.snapshot ?? (children.isEmpty ? own : Self.sum(own, children))
        if isComplete {
            snapshot.completed = max(snapshot.completed, snapshot.total ?? 0)
            snapshot.total = snapshot.completed
        }
        return snapshot
    }

    private static func sum(_ own: Snapshot, _ children: [(progress: OperationProgress, weight: Int)]) -> Snapshot {
        var weights = 0
        var done = 0.0
        for (child, weight) in children {
            weights += weight
            done += Double(weight) * (child.snapshot.fraction ?? 0)
        }
        return Snapshot(completed: own.completed + Int(done), total: (own.total ?? 0) + weights, unit: own.unit)
    }

    /// Returns the current progress and its changes until the work has ended or the task is cancelled. A slow reader receives the latest value.
    ///
    /// The work is the operation, exchange or transfer that reports to this progress. A progress that only sums up its children does not end.
    ///
    /// - Parameters:
    ///   - interval: The minimum interval between two updates; changes in between are coalesced.
    ///   - clock: The clock that measures the interval.
    public func updates(
        every interval: Duration = OperationProgress.updateInterval, clock: some Clock<Duration> = ContinuousClock()
    ) -> some AsyncSequence<Snapshot, Never> & Sendable {
        let stopwatch = Stopwatch(clock)
        return ProgressUpdates(progress: self, stopwatch: stopwatch, interval: interval)
    }

    /// Finishes the progress: readers receive the latest value and then the end. Parents continue.
    ///
    /// - Parameter isComplete: Whether all units count as completed, as after a success.
    package func finish(isComplete: Bool) {
        let previous = snapshot
        let isFirst = state.withLock { state in
            defer { state.isFinished = true }
            guard !state.isFinished else { return false }
            state.isComplete = isComplete
            return true
        }
        if isFirst { notifyReaders(hasProgressed: snapshot != previous) }
    }

    /// Finishes the progress that a caller passed to an exchange or a transfer; that of an operation finishes with the operation.
    package func finishUnlessOfOperation(isComplete: Bool) {
        if !isOfOperation { finish(isComplete: isComplete) }
    }

    /// Notifies readers and parents of a change.
    ///
    /// - Parameter hasProgressed: Whether the snapshot has changed; otherwise only `isFinished` has.
    func notifyReaders(hasProgressed: Bool = true) {
        let (readers, parents) = state.withLock { state in
            if hasProgressed { state.changes += 1 }
            defer { state.readers = [:] }
            return (state.readers.values, state.parents)
        }
        for reader in readers { reader.resume() }
        if hasProgressed { for parent in parents { parent.progress?.notifyReaders() } }
    }

    // MARK: Readers

    fileprivate enum Update {
        case change(number: Int)
        case finished(number: Int)
    }

    /// Returns the latest update after a change, once there is one; nil when the task is cancelled.
    fileprivate func next(after change: Int) async -> Update? {
        let reader = state.withLock { state in
            state.lastReaderID += 1
            return state.lastReaderID
        }
        while !Task.isCancelled {
            let update: Update? = state.withLock { state in
                if state.isFinished { return .finished(number: state.changes) }
                return state.changes != change ? .change(number: state.changes) : nil
            }
            if let update { return update }
            await wait(as: reader, after: change)
        }
        return nil
    }

    private func wait(as reader: Int, after change: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard state.changes == change, !state.isFinished, !Task.isCancelled else { return true }
                    state.readers[reader] = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.readers.removeValue(forKey: reader) }?.resume()
        }
    }
}

/// An asynchronous sequence of progress snapshots.
private struct ProgressUpdates: AsyncSequence, Sendable {
    typealias Element = OperationProgress.Snapshot
    typealias Failure = Never

    let progress: OperationProgress
    let stopwatch: Stopwatch
    let interval: Duration

    func makeAsyncIterator() -> Iterator {
        Iterator(updates: self)
    }

    struct Iterator: AsyncIteratorProtocol {
        let updates: ProgressUpdates
        /// The number of the last returned change; −1 before the first.
        private var change = -1
        private var isFinished = false
        private var lastUpdateTime: Duration?

        init(updates: ProgressUpdates) {
            self.updates = updates
        }

        nonisolated(nonsending) mutating func next() async -> Element? {
            guard !isFinished else { return nil }
            guard var update = await updates.progress.next(after: change) else { return nil }
            if case .change = update, let lastUpdateTime {
                try? await updates.stopwatch.sleep(lastUpdateTime + updates.interval)
                guard let later = await updates.progress.next(after: change) else { return nil }
                update = later
            }
            switch update {
            case .change(let number): change = number
            case .finished(let number):
                isFinished = true
                if number == change { return nil }
                change = number
            }
            lastUpdateTime = updates.stopwatch.elapsed()
            return updates.progress.snapshot
        }
    }
}
