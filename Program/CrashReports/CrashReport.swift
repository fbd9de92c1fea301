import Foundation

/// A readable crash report: the run, its last operations, the backtrace.
struct CrashReport {
    /// The maximum length of a backtrace in bytes.
    static let backtraceLimit = 64 << 10

    var metadata: RunMetadata
    var crashDate: Date
    /// The last operations, oldest first.
    var operations: [OperationRing.Entry]
    /// The output of Swift's backtracer; nil without one.
    var backtrace: String?

    /// Returns the redacted text of the report.
    func text(_ redaction: Redaction) -> String {
        redaction.redacted(sections.joined(separator: "\n\n") + "\n")
    }

    private var sections: [String] {
        [
            "Lading \(metadata.hasBacktrace ? "crashed" : "ended unexpectedly")",
            """
            Version:  \(metadata.version)
            Command:  lading \(metadata.command)
            Started:  \(metadata.started.formatted(.iso8601))
            Ended:    \(crashDate.formatted(.iso8601))
            System:   \(metadata.system), \(metadata.architecture)
            """,
            "Last operations, oldest first\n\(operationList)",
            "Backtrace\n\(backtrace ?? "None: Swift's backtracer was not found when the program started.")",
        ]
    }

    private var operationList: String {
        guard !operations.isEmpty else { return "None." }
        return operations.map { "\($0.time.inSeconds) s  \($0.text)" }.joined(separator: "\n")
    }
}

extension Duration {
    fileprivate var inSeconds: String {
        formatted(.units(allowed: [.seconds], width: .narrow, fractionalPart: .show(length: 3))).filter { $0.isNumber || $0 == "." }
    }
}
