import Foundation
import LadingHTTP

/// The progress of a transfer: a bar with rate and remaining time on a terminal, occasional lines elsewhere.
struct TransferProgressDisplay {
    /// The interval between two drawings.
    private static let interval = Duration.milliseconds(100)
    private static let barWidth = 24
    /// The interval of progress lines outside of a terminal, in percent of the file.
    private static let step = 25

    private let terminal: Terminal
    private let start = ContinuousClock.now
    private var rate = TransferRate()
    private var lastUpdate: Duration?
    private var reportedPercent: Int?
    private var reason: String?
    /// Whether the transfer has been in the state `running`.
    private(set) var hasBeenRunning = false

    init(on terminal: Terminal = .error) {
        self.terminal = terminal
    }

    mutating func update(_ transfer: FileTransfer) {
        let now = start.duration(to: .now)
        rate.record(transfer.completed, at: now)
        hasBeenRunning = hasBeenRunning || transfer.status == .running
        if terminal.isInteractive { render(transfer, now) } else { printProgress(of: transfer) }
    }

    /// Removes the bar.
    mutating func clear() {
        if lastUpdate != nil { terminal.write("\r\u{1B}[K") }
        lastUpdate = nil
    }

    private mutating func render(_ transfer: FileTransfer, _ now: Duration) {
        guard lastUpdate.map({ now - $0 >= Self.interval }) ?? true else { return }
        lastUpdate = now
        terminal.write("\r\u{1B}[K" + line(transfer).fitting(terminal.width - 1))
    }

    private mutating func printProgress(of transfer: FileTransfer) {
        if let new = transfer.reason, transfer.status == .pending, new != reason {
            terminal.write("lading: \(new.oneLine); retrying\n")
        }
        reason = transfer.reason
        guard let total = transfer.total, total > 0 else { return }
        let share = transfer.completed * 100 / total / Self.step * Self.step
        if let reportedPercent, share > reportedPercent { terminal.write("\(share) % of \(Self.size(total))\n") }
        reportedPercent = max(share, reportedPercent ?? 0)
    }

    private func line(_ transfer: FileTransfer) -> String {
        let name = transfer.file.lastPathComponent.oneLine.fitting(20)
        if transfer.status == .pending, let reason = transfer.reason { return "\(name) waiting: \(reason.oneLine)" }
        var parts = [Self.size(transfer.completed) + (transfer.total.map { " of " + Self.size($0) } ?? "")]
        if let rate = rate.bytesPerSecond { parts.append(Self.size(Int(rate)) + "/s") }
        if let left = rate.remaining(transfer.completed, of: transfer.total) { parts.append(Self.time(left) + " left") }
        return "\(name) \(bar(transfer)) \(parts.joined(separator: ", "))"
    }

    private func bar(_ transfer: FileTransfer) -> String {
        guard let total = transfer.total else { return "" }
        let filled = total == 0 ? Self.barWidth : min(Self.barWidth, transfer.completed * Self.barWidth / total)
        return String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
    }

    static func size(_ bytes: Int) -> String { bytes.formatted(.byteCount(style: .file)) }

    private static func time(_ duration: Duration) -> String {
        duration.formatted(.units(allowed: [.hours, .minutes, .seconds], width: .narrow, maximumUnitCount: 2))
    }
}
