import LadingOperations
import LadingTesting
import Synchronization
import Timing
@testable import LadingFeeds

/// A screen of pictures that are loaded over a simulated link, on one thread and a manual clock.
final class SimulatedScreen: Feed, Sendable {
    struct Cell: Identifiable, Sendable { let id: Int }

    /// The default number of cells, visible or not.
    static let defaultCount = 4_000

    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let time: Stopwatch
    private let link: SimulatedLink
    /// The size of each cell in bytes.
    private let sizes: [Int]
    /// The time at which each cell was loaded, since the creation of the screen.
    private let arrivalTimes = Mutex<[Int: Duration]>([:])
    private let nextPrefetch = Mutex(0)
    let queue: BackendQueue

    /// Creates a screen.
    ///
    /// - Parameters:
    ///   - bytes: The mean size of a picture.
    ///   - isVaried: Whether the sizes of pictures vary by up to half of the mean.
    init(lanes: LaneConfiguration, link: SimulatedLink, bytes: Int, count: Int = defaultCount, isVaried: Bool = true) {
        self.link = link
        var random = SeededRandom(seed: 981)
        self.sizes = (0..<count).map { _ in isVaried ? Int.random(in: (bytes / 2)...(bytes * 3 / 2), using: &random) : bytes }
        time = Stopwatch(clock)
        queue = BackendQueue(lanes: lanes, clock: clock, executor: executor)
    }

    func list() -> BackendOperation<[Cell]> {
        BackendOperation("list", lane: .cpu) { self.sizes.indices.map(Cell.init) }
    }

    func load(_ cell: Cell) -> BackendOperation<Int> {
        let id = cell.id
        return BackendOperation("\(id)", key: OperationKey(verb: "GET", subject: "\(id)"), lane: .network("pictures")) {
            try await self.link.transfer(self.sizes[id])
            self.arrivalTimes.withLock { $0[id] = self.time.elapsed() }
            return id
        }
    }

    /// Starts prefetching pictures from a cell on, `width` at a time, and returns when `count` pictures are loaded. Prefetching continues.
    func prefetch(from cell: Int, atOnce width: Int, untilLoaded count: Int) {
        nextPrefetch.withLock { $0 = cell }
        for _ in 0..<width { prefetchNext() }
        advance { self.arrivalTimes.withLock { $0.count } >= count }
    }

    /// Returns the mean wait for the cells of a screen, in milliseconds.
    func meanWait(opening cells: Range<Int>) -> Double {
        let waits = waits(opening: cells)
        return waits.reduce(0, +) / Double(waits.count)
    }

    /// Returns the wait for each cell of a screen, in milliseconds.
    func waits(opening cells: Range<Int>) -> [Double] {
        let controller = FeedController(feed: self, cache: FeedCache(), queue: queue, clock: clock)
        controller.start()
        executor.runAll()
        let start = time.elapsed()
        controller.setViewport(Viewport(visible: cells))
        advance { self.arrivalTimes.withLock { arrivals in cells.allSatisfy { arrivals[$0] != nil } } }
        controller.stop()
        queue.cancelAll()
        executor.runAll()
        return arrivalTimes.withLock { arrivals in cells.compactMap { arrivals[$0] }.map { ($0 - start) / .milliseconds(1) } }
    }

    /// Flings a grid, and waits after each fling until all visible cells are loaded.
    ///
    /// - Returns: For each fling the ratio of this wait to the time that the link needs for the visible cells that were missing before it,
    ///   without flings to cells of which none was missing.
    func waitRatios(of flings: [SimulatedFling], over grid: SimulatedGrid) -> [Double] {
        let controller = FeedController(feed: self, cache: FeedCache(), queue: queue, clock: clock)
        controller.start()
        executor.runAll()
        let ratios = flings.compactMap { ratio(of: $0, over: grid, controller) }
        controller.stop()
        queue.cancelAll()
        executor.runAll()
        return ratios
    }

    private func ratio(of fling: SimulatedFling, over grid: SimulatedGrid, _ controller: FeedController<SimulatedScreen>) -> Double? {
        let (start, visible) = (time.elapsed(), grid.visibleRange(from: fling.end))
        let isMissing = { (cell: Int) in self.arrivalTimes.withLock { $0[cell] == nil } }
        let missingBytes = visible.filter(isMissing).map { sizes[$0] }.reduce(0, +)
        for report in fling.reportTimes {
            advance(to: start + report)
            controller.setViewport(grid.viewport(of: fling, at: report))
        }
        let end = start + fling.duration
        // A view reports that it is at rest one interval after the last movement.
        advance(to: end + SimulatedFling.reportInterval)
        controller.setViewport(grid.viewport(of: fling, at: fling.duration).atRest)
        advance { !visible.contains(where: isMissing) }
        guard missingBytes > 0 else { return nil }
        let lastArrival = arrivalTimes.withLock { arrivals in visible.compactMap { arrivals[$0] }.max() ?? end }
        return max(0, (lastArrival - end) / .seconds(1)) / link.seconds(for: missingBytes)
    }

    /// Advances the clock by a part of the time until the next event of the link.
    func advance(byPart part: Double) {
        executor.runAll()
        guard let next = link.nextEvent else { return }
        step(to: time.elapsed() + (next - time.elapsed()) * part)
    }

    private func prefetchNext() {
        let cell = nextPrefetch.withLock { next in
            defer { next += 1 }
            return next
        }
        guard sizes.indices.contains(cell) else { return }
        let operation = load(Cell(id: cell))
        operation.onSuccess { [weak self] _ in self?.prefetchNext() }
        queue.submit(operation, priority: .prefetch)
    }

    /// Runs events of the link until a condition holds or none remains.
    private func advance(until isDone: () -> Bool) {
        executor.runAll()
        while !isDone(), let next = link.nextEvent { step(to: next) }
    }

    private func advance(to end: Duration) {
        executor.runAll()
        while let next = link.nextEvent, next < end { step(to: next) }
        step(to: end)
    }

    private func step(to next: Duration) {
        clock.advance(by: next - time.elapsed())
        link.run(until: next)
        executor.runAll()
    }
}
