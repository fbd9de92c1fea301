import LadingTesting
import Synchronization

@testable import LadingOperations

/// A queue on a manual clock and a manual task executor.
struct QueueHarness {
    struct Broken: Error, Equatable {}

    let executor = ManualTaskExecutor()
    let clock = ManualClock()
    let queue: BackendQueue

    init(processors: Int = 2, network: LaneLimits = LaneLimits(width: 6, reserved: 2)) {
        queue = BackendQueue(lanes: LaneConfiguration(network: network, processors: processors), clock: clock, executor: executor)
    }

    /// Advances the clock, and runs all tasks before and after.
    func advance(by duration: Duration) {
        executor.runAll()
        clock.advance(by: duration)
        executor.runAll()
    }

    func submit<Value>(_ operation: BackendOperation<Value>, deadline: Duration? = nil) {
        queue.submit(operation, priority: .visible, deadline: deadline)
    }

    /// Starts asynchronous work on the executor and runs it until it suspends.
    func start(_ work: @escaping @Sendable () async -> Void) {
        let task = queue.task(work)
        executor.runAll()
        _ = task
    }
}

/// A thread-safe list of recorded elements.
final class Recorder<Note: Sendable>: Sendable {
    private let elements = Mutex<[Note]>([])

    var all: [Note] { elements.withLock { $0 } }

    func append(_ note: Note) { elements.withLock { $0.append(note) } }
}
