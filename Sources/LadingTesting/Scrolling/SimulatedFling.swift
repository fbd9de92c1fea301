import Foundation
public import LadingFeeds

/// A fling as a view reports it: its position over time in grid rows, and the reported viewports.
///
/// ```swift
/// let fling = SimulatedFling(from: 0, to: 80, lasting: .seconds(2), curve: .exponential)
/// let grid = SimulatedGrid(columns: 3, height: 4.5, count: 500)
/// for time in fling.reportTimes { controller.setViewport(grid.viewport(of: fling, at: time)) }
/// ```
public struct SimulatedFling: Hashable, Sendable {
    /// The deceleration curve.
    public enum Curve: CaseIterable, Sendable {
        /// Exponential decay, as on iOS.
        case exponential
        /// Decay with a power of the remaining time, as in Android's scroller.
        case power
        /// Constant deceleration.
        case linear
    }

    /// The time between two reports, equal to that of the web page.
    public static let reportInterval = Duration.milliseconds(100)

    /// The first visible grid row at the beginning and at rest, including the fraction that is scrolled out.
    public let start, end: Double
    public let duration: Duration
    public let curve: Curve

    public init(from start: Double, to end: Double, lasting duration: Duration, curve: Curve) {
        precondition(duration > .zero, "the duration of a fling must be positive")
        self.start = start
        self.end = end
        self.duration = duration
        self.curve = curve
    }

    /// Returns the first visible grid row at a time since the beginning.
    public func gridRow(at time: Duration) -> Double {
        let progress = max(0, min(1, time / duration))
        let distance =
            switch curve {
            case .exponential: (1 - exp(-6 * progress)) / (1 - exp(-6))
            case .power: 1 - pow(1 - progress, 2.358)
            case .linear: 1 - pow(1 - progress, 2)
            }
        return start + (end - start) * distance
    }

    /// The times of reports, without the one at rest.
    public var reportTimes: [Duration] {
        Array(sequence(first: Self.reportInterval) { $0 + Self.reportInterval }.prefix { $0 < duration })
    }
}

/// The grid of a simulated fling.
public struct SimulatedGrid: Hashable, Sendable {
    public let columns: Int
    /// The height of the view in grid rows.
    public let height: Double
    /// The number of cells.
    public let count: Int

    public init(columns: Int, height: Double, count: Int) {
        self.columns = columns
        self.height = height
        self.count = count
    }

    /// The maximum first visible grid row.
    public var lastGridRow: Double { max(0, Double((count + columns - 1) / columns) - height) }

    /// Returns the cells that are at least partly visible.
    public func visibleRange(from line: Double) -> Range<Int> {
        let first = Int(line.rounded(.down)) * columns
        let end = Int((line + height).rounded(.up)) * columns
        return (first..<max(first, end)).clamped(to: 0..<count)
    }

    /// Returns the reported viewport at a time: the visible cells, and the velocity since the previous report, 0 at rest.
    public func viewport(of fling: SimulatedFling, at time: Duration) -> Viewport {
        let gridRow = fling.gridRow(at: time)
        let moved = time > fling.duration ? 0 : gridRow - fling.gridRow(at: time - SimulatedFling.reportInterval)
        let speed = moved / (SimulatedFling.reportInterval / .seconds(1))
        return Viewport(visible: visibleRange(from: gridRow), rowsPerSecond: (speed * 10).rounded() / 10, columns: columns)
    }
}
