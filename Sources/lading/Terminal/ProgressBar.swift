import Foundation

/// A bar on a terminal that fills as work is done; elsewhere it draws nothing.
struct ProgressBar {
    private static let interval = Duration.milliseconds(100)
    private static let cellCount = 30

    private let label: String
    /// How much there is to do; nil until the list of it has been read.
    private var total: Int?
    private let terminal: Terminal
    private let isDrawn: Bool
    private var completed = 0
    private var failed = 0
    private var drawnAt: ContinuousClock.Instant?

    /// Draws the bar at once, so that it is there while the list is read.
    ///
    /// - Parameter total: nil until `expect(_:)` is called.
    init(_ label: String, total: Int? = nil, on terminal: Terminal = .error) {
        self.label = label
        self.total = total
        self.terminal = terminal
        isDrawn = terminal.isInteractive
        draw(at: .now)
    }

    /// Notes how much there is to do.
    mutating func setTotal(_ total: Int) {
        self.total = total
        draw(at: .now)
    }

    mutating func advance(failed isFailed: Bool) {
        failed += isFailed ? 1 : 0
        advance(to: completed + 1)
    }

    mutating func advance(to count: Int) {
        completed = count
        let now = ContinuousClock.now
        if drawnAt.map({ $0.duration(to: now) >= Self.interval }) ?? true { draw(at: now) }
    }

    private mutating func draw(at now: ContinuousClock.Instant) {
        guard isDrawn else { return }
        drawnAt = now
        terminal.write("\r\u{1B}[K" + Self.line(label, completed: completed, failed: failed, of: total, width: terminal.width - 1))
    }

    /// Takes the bar away.
    mutating func clear() {
        if drawnAt != nil { terminal.write("\r\u{1B}[K") }
        drawnAt = nil
    }

    /// - Parameter total: nil while the list is read.
    static func line(_ label: String, completed: Int, failed: Int, of total: Int?, width: Int) -> String {
        let filled = total.map { $0 == 0 ? cellCount : completed * cellCount / $0 } ?? 0
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: cellCount - filled)
        let count = total.map { "\(completed) of \($0)" } ?? "reading the list"
        let failures = failed == 0 ? "" : ", \(failed) failed"
        return String("\(label) \(bar) \(count)\(failures)".fitting(width))
    }
}
