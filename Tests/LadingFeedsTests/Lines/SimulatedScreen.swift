import LadingFeeds
import LadingOperations
import LadingTesting
import Synchronization

/// Cells that are pictures, half to one and a half times as large as said, loaded over a simulated line; everything in one thread and on a manual clock.
final class SimulatedScreen: Feed, Sendable {
    struct Cell: Identifiable, Sendable { let id: Int }

    /// How many cells there are, on the screen and beyond.
    static let count = 4_000

    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let time: Stopwatch
    private let line: SimulatedLine
    /// Of each cell.
    private let bytes: [Int]
    private let arrivals = Mutex<[Int: Duration]>([:])
    let queue: BackendQueue
    private let ahead = Mutex<(next: Int, underWay: Int)>((0, 0))

    init(lanes: LanePlan, line: SimulatedLine, bytes: Int) {
        self.line = line
        var random = SeededRandom(seed: 981)
        self.bytes = (0..<Self.count).map { _ in Int.random(in: (bytes / 2)...(bytes * 3 / 2), using: &random) }
        time = Stopwatch(clock)
        queue = BackendQueue(lanes: lanes, clock: clock, executor: executor)
    }

    func list() -> BackendOperation<[Cell]> {
        BackendOperation("list", lane: .cpu) { (0..<Self.count).map(Cell.init) }
    }

    func load(_ cell: Cell) -> BackendOperation<Int> {
        let id = cell.id
        return BackendOperation("\(id)", key: OperationKey(verb: "GET", subject: "\(id)"), lane: .network("pictures")) {
            try await self.line.carry(self.bytes[id])
            self.arrivals.withLock { $0[id] = self.time.elapsed() }
            return id
        }
    }

    /// Prefetches pictures from some cell on, so many at a time, as a prefetcher beside the screen does, until some have come; and then goes on.
    func prefetch(from cell: Int, atOnce width: Int, untilCame count: Int) {
        ahead.withLock { $0 = (cell, 0) }
        for _ in 0..<width { prefetchNext() }
        advance { self.arrivals.withLock { $0.count } >= count }
    }

    /// How long the cells of a screen wait on the average, in milliseconds.
    func open(_ cells: Range<Int>) -> Double {
        let controller = FeedController(feed: self, memory: FeedMemory(), queue: queue, clock: clock)
        controller.start()
        executor.runAll()
        let start = time.elapsed()
        controller.show(Viewport(visible: cells))
        advance { self.arrivals.withLock { arrivals in cells.allSatisfy { arrivals[$0] != nil } } }
        controller.stop()
        queue.cancelAll()
        executor.runAll()
        let waits = arrivals.withLock { arrivals in cells.compactMap { arrivals[$0] }.map { ($0 - start) / .milliseconds(1) } }
        return waits.reduce(0, +) / Double(waits.count)
    }

    /// Lets a little time go by in which nothing ends.
    func pass(_ part: Double) {
        executor.runAll()
        guard let next = line.nextEvent else { return }
        step(to: time.elapsed() + (next - time.elapsed()) * part)
    }

    private func prefetchNext() {
        let cell = ahead.withLock { ahead in
            defer { ahead.next += 1 }
            return ahead.next
        }
        guard cell < Self.count else { return }
        let operation = load(Cell(id: cell))
        operation.onSuccess { [weak self] _ in self?.prefetchNext() }
        queue.submit(operation, priority: .prefetch)
    }

    private func advance(until isDone: () -> Bool) {
        executor.runAll()
        while !isDone(), let next = line.nextEvent { step(to: next) }
    }

    private func step(to next: Duration) {
        clock.advance(by: next - time.elapsed())
        line.run(until: next)
        executor.runAll()
    }
}
