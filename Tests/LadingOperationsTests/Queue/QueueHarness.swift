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

    /// Lets time go by, and what it sets off run.
    func advance(by duration: Duration) {
        executor.runAll()
        clock.advance(by: duration)
        executor.runAll()
    }

    func submit<Value>(_ operation: BackendOperation<Value>, deadline: Duration? = nil) {
        queue.submit(operation, priority: .visible, deadline: deadline)
    }

    /// Does something asynchronous in a task on the executor, as far as it gets.
    func start(_ work: @escaping @Sendable () async -> Void) {
        let task = queue.task(work)
        executor.runAll()
        _ = task
    }
}

/// What was noted from anywhere, in order.
final class Recorder<Note: Sendable>: Sendable {
    private let elements = Mutex<[Note]>([])

    var all: [Note] { elements.withLock { $0 } }

    func append(_ note: Note) { elements.withLock { $0.append(note) } }
}
