package import Foundation

/// The runtime setting that makes Swift's backtracer write crashes to a file.
///
/// The runtime reads the environment before `main`. The program therefore sets the variable and executes itself once more in the same process,
/// which keeps its id, arguments, open files and parent. The user's own settings are appended, and override these.
package struct BacktraceSetting {
    static let environmentVariable = "SWIFT_BACKTRACE"

    /// Returns the value of the environment variable that sends backtraces to a file; nil when it is set already, or the path contains a comma.
    static func value(for file: String, existing: String?) -> String? {
        // Keys as in docs/Backtracing.rst of Swift. They are separated by commas, which cannot be quoted.
        guard !file.contains(",") else { return nil }
        let settings =
            "output-to=\(file),format=text,threads=crashed,registers=none,images=none,sanitize=yes,color=no,interactive=no"
        guard let existing, !existing.isEmpty else { return settings }
        return existing == settings || existing.hasPrefix(settings + ",") ? nil : "\(settings),\(existing)"
    }

    /// Restarts the program with backtraces sent to a file. Returns if the setting is present, as after the restart, or if no restart is possible.
    ///
    /// Call it on the main thread before any other thread starts: signals blocked by the calling thread stay blocked in the restarted program.
    package static func restart(writingTo file: URL) {
        #if os(Linux)
            let existing = ProcessInfo.processInfo.environment[environmentVariable]
            guard !isDebuggerAttached, let program = Bundle.main.executablePath,
                let text = value(for: file.path(percentEncoded: false), existing: existing)
            else { return }
            setenv(environmentVariable, text, 1)
            execv(program, CommandLine.unsafeArgv)
            // The executable may have been replaced or removed meanwhile; the program continues without backtraces.
            if let existing { setenv(environmentVariable, existing, 1) } else { unsetenv(environmentVariable) }
        #endif
    }

    /// Whether the runtime handles crashes: it found its backtracer and installed the signal handlers.
    package static var isBacktraceActive: Bool {
        #if os(Linux)
            var action = sigaction()
            return sigaction(SIGSEGV, nil, &action) == 0 && action.__sigaction_handler.sa_handler != nil
        #else
            return false
        #endif
    }

    /// Whether a debugger is attached. It would lose its breakpoints at a restart, and catches crashes itself.
    private static var isDebuggerAttached: Bool {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").contains { $0.hasPrefix("TracerPid:") && !$0.hasSuffix("\t0") }
    }
}
