import Foundation

/// A bar on a terminal that fills as work is done; it draws nothing where nobody looks.
struct ProgressBar {
    private static let interval = Duration.milliseconds(100)
    private static let cells = 30

    private let label: String
    private let total: Int
    private let terminal: Terminal
    private let isDrawn: Bool
    private var done = 0
    private var failed = 0
    private var drawnAt: ContinuousClock.Instant?

    init(_ label: String, total: Int, on terminal: Terminal = .error) {
        self.label = label
        self.total = total
        self.terminal = terminal
        isDrawn = terminal.isInteractive
    }

    mutating func advance(failed isFailed: Bool) {
        failed += isFailed ? 1 : 0
        advance(to: done + 1)
    }

    mutating func advance(to count: Int) {
        done = count
        guard isDrawn else { return }
        let now = ContinuousClock.now
        guard drawnAt.map({ $0.duration(to: now) >= Self.interval }) ?? true else { return }
        drawnAt = now
        terminal.write("\r\u{1B}[K" + line)
    }

    /// Takes the bar away.
    func clear() {
        if drawnAt != nil { terminal.write("\r\u{1B}[K") }
    }

    private var line: String {
        let filled = total == 0 ? Self.cells : done * Self.cells / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.cells - filled)
        let failures = failed == 0 ? "" : ", \(failed) failed"
        return "\(label) \(bar) \(done) of \(total)\(failures)".prefix(terminal.width - 1).description
    }
}
