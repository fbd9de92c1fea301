import Foundation

/// What a crash left behind, put together for people: the run, its last operations, the backtrace.
struct CrashReport {
    /// The longest backtrace that is read, in bytes.
    static let backtraceLimit = 64 << 10

    var facts: RunFacts
    var crashed: Date
    /// Oldest first.
    var operations: [OperationRing.Entry]
    /// As Swift's backtracer wrote it; nil when it was not there.
    var backtrace: String?

    /// The whole report, without anything that a redaction takes away.
    func text(_ redaction: Redaction) -> String {
        redaction.redacted(sections.joined(separator: "\n\n") + "\n")
    }

    private var sections: [String] {
        [
            "Lading \(facts.isCaught ? "crashed" : "ended out of turn")",
            """
            Version:  \(facts.version)
            Command:  lading \(facts.command)
            Started:  \(facts.started.formatted(.iso8601))
            Ended:    \(crashed.formatted(.iso8601))
            System:   \(facts.system), \(facts.architecture)
            """,
            "Last operations, oldest first\n\(told)",
            "Backtrace\n\(backtrace ?? "None: Swift's backtracer was not found when the program started.")",
        ]
    }

    private var told: String {
        guard !operations.isEmpty else { return "None." }
        return operations.map { "\($0.time.inSeconds) s  \($0.text)" }.joined(separator: "\n")
    }
}

extension Duration {
    fileprivate var inSeconds: String {
        formatted(.units(allowed: [.seconds], width: .narrow, fractionalPart: .show(length: 3))).filter { $0.isNumber || $0 == "." }
    }
}
