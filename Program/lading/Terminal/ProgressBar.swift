import Foundation

/// A progress bar on a terminal; on other outputs it draws nothing.
struct ProgressBar {
    /// The minimum interval between two drawings.
    private static let interval = Duration.milliseconds(100)
    /// The width of the bar, in characters.
    private static let barWidth = 30

    private let label: String
    /// The number of steps; nil until the list is loaded.
    private var total: Int?
    private let terminal: Terminal
    private let isEnabled: Bool
    private var completed = 0
    private var failed = 0
    private var lastUpdate: ContinuousClock.Instant?

    /// Creates the bar and draws it immediately, before the list is loaded.
    ///
    /// - Parameter total: The number of steps; nil until `setTotal(_:)` is called.
    init(_ label: String, total: Int? = nil, on terminal: Terminal = .error) {
        self.label = label
        self.total = total
        self.terminal = terminal
        isEnabled = terminal.isInteractive
        render(at: .now)
    }

    /// Sets the number of steps.
    mutating func setTotal(_ total: Int) {
        self.total = total
        render(at: .now)
    }

    mutating func advance(failed isFailed: Bool) {
        failed += isFailed ? 1 : 0
        advance(to: completed + 1)
    }

    mutating func advance(to count: Int) {
        completed = count
        let now = ContinuousClock.now
        if lastUpdate.map({ $0.duration(to: now) >= Self.interval }) ?? true { render(at: now) }
    }

    private mutating func render(at now: ContinuousClock.Instant) {
        guard isEnabled else { return }
        lastUpdate = now
        terminal.write("\r\u{1B}[K" + Self.line(label, completed: completed, failed: failed, of: total, width: terminal.width - 1))
    }

    /// Removes the bar.
    mutating func clear() {
        if lastUpdate != nil { terminal.write("\r\u{1B}[K") }
        lastUpdate = nil
    }

    /// Returns the text of the bar.
    ///
    /// - Parameter total: The number of steps; nil while the list is loading.
    static func line(_ label: String, completed: Int, failed: Int, of total: Int?, width: Int) -> String {
        // More than the total is read from a pipe, and from a file that grows.
        let filled = total.map { $0 <= completed ? barWidth : completed * barWidth / $0 } ?? 0
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
        let count = total.map { $0 < completed ? "\(completed)" : "\(completed) of \($0)" } ?? "reading the list"
        let failures = failed == 0 ? "" : ", \(failed) failed"
        return String("\(label) \(bar) \(count)\(failures)".fitting(width))
    }
}
