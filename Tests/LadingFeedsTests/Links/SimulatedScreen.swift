import LadingOperations
import LadingTesting
import Synchronization

@testable import LadingFeeds

/// A screen of pictures that are loaded over a simulated link, on one thread and a manual clock. Their sizes vary by half by default.
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
    private let arrivalTimes = Mutex<[Int: Duration]>([:])
    let queue: BackendQueue
    private let prefetching = Mutex<(next: Int, underWay: Int)>((0, 0))

    /// - Parameter isVaried: Whether the sizes of pictures vary.
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

    /// Prefetches pictures from a cell on, with a number of concurrent loads, until some are loaded, and continues in the background.
    func prefetch(from cell: Int, atOnce width: Int, untilLoaded count: Int) {
        prefetching.withLock { $0 = (cell, 0) }
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

    /// Flings a grid and waits at each landing until all visible rows are loaded. Returns the ratios of this wait to the time that the link needs for
    /// the rows that were missing before the fling, without landings where none was.
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
        let (start, seen) = (time.elapsed(), grid.visibleRange(from: fling.end))
        let isMissing = { (cell: Int) in self.arrivalTimes.withLock { $0[cell] == nil } }
        let missing = seen.filter(isMissing).map { sizes[$0] }.reduce(0, +)
        for report in fling.reportTimes {
            advance(to: start + report)
            controller.setViewport(grid.viewport(of: fling, at: report))
        }
        let standstill = start + fling.duration
        advance(to: standstill + SimulatedFling.reportInterval)
        controller.setViewport(grid.viewport(of: fling, at: fling.duration).atRest)
        advance { !seen.contains(where: isMissing) }
        guard missing > 0 else { return nil }
        let last = arrivalTimes.withLock { arrivals in seen.compactMap { arrivals[$0] }.max() ?? standstill }
        return max(0, (last - standstill) / .seconds(1)) / link.seconds(for: missing)
    }

    /// Advances the clock by part of the time to the next event.
    func advance(byPart part: Double) {
        executor.runAll()
        guard let next = link.nextEvent else { return }
        step(to: time.elapsed() + (next - time.elapsed()) * part)
    }

    private func prefetchNext() {
        let cell = prefetching.withLock { ahead in
            defer { ahead.next += 1 }
            return ahead.next
        }
        guard sizes.indices.contains(cell) else { return }
        let operation = load(Cell(id: cell))
        operation.onSuccess { [weak self] _ in self?.prefetchNext() }
        queue.submit(operation, priority: .prefetch)
    }

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
