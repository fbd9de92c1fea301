import Foundation
public import LadingFeeds

/// A fling as a view reports it: where it is at each moment, in lines, and the viewports that it tells on the way.
///
/// ```swift
/// let fling = SimulatedFling(from: 0, to: 80, lasting: .seconds(2), curve: .exponential)
/// let grid = SimulatedGrid(columns: 3, height: 4.5, count: 500)
/// for time in fling.reportTimes { controller.show(grid.viewport(of: fling, at: time)) }
/// ```
public struct SimulatedFling: Hashable, Sendable {
    /// How the speed is lost.
    public enum Curve: CaseIterable, Sendable {
        /// It decays exponentially, as on iOS.
        case exponential
        /// It decays as Android's scroller lets it: with a power of the time that is left.
        case power
        /// It falls evenly.
        case linear
    }

    /// The time between two reports, as a page of the window reports.
    public static let reportInterval = Duration.milliseconds(100)

    /// The first line in view at the beginning, and at rest; with the part of it that is out of view.
    public let start, end: Double
    public let duration: Duration
    public let curve: Curve

    public init(from start: Double, to end: Double, lasting duration: Duration, curve: Curve) {
        precondition(duration > .zero, "a fling takes time")
        self.start = start
        self.end = end
        self.duration = duration
        self.curve = curve
    }

    /// The first line in view at a time since the beginning.
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

    /// When the view reports, the rest not included.
    public var reportTimes: [Duration] {
        Array(sequence(first: Self.reportInterval) { $0 + Self.reportInterval }.prefix { $0 < duration })
    }
}

/// The grid that a simulated fling moves.
public struct SimulatedGrid: Hashable, Sendable {
    public let columns: Int
    /// The height of the view, in lines.
    public let height: Double
    /// How many cells there are.
    public let count: Int

    public init(columns: Int, height: Double, count: Int) {
        self.columns = columns
        self.height = height
        self.count = count
    }

    /// The largest line that can be the first in view.
    public var lastGridRow: Double { max(0, Double((count + columns - 1) / columns) - height) }

    /// The cells of which any part is in view.
    public func visibleCells(from line: Double) -> Range<Int> {
        let first = Int(line.rounded(.down)) * columns
        let end = Int((line + height).rounded(.up)) * columns
        return (first..<max(first, end)).clamped(to: 0..<count)
    }

    /// What the view reports at a time: the cells in view, and the speed since the report before. At rest there is none.
    public func viewport(of fling: SimulatedFling, at time: Duration) -> Viewport {
        let gridRow = fling.gridRow(at: time)
        let moved = time > fling.duration ? 0 : gridRow - fling.gridRow(at: time - SimulatedFling.reportInterval)
        let speed = moved / (SimulatedFling.reportInterval / .seconds(1))
        return Viewport(visible: visibleCells(from: gridRow), rowsPerSecond: (speed * 10).rounded() / 10, columns: columns)
    }
}
