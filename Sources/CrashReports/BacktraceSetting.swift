package import Foundation

/// What Swift's runtime is told about crashes: where its backtracer writes, and what.
///
/// The runtime reads it from the environment before `main`, so a program that wants it has to be started with it. It begins anew once, in the same
/// process: same id, arguments, files and parent. What the user has set comes after what is set here, and so has the last word.
package struct BacktraceSetting {
    static let environmentVariable = "SWIFT_BACKTRACE"

    /// The environment's text that sends backtraces to a file; nil when it needs no change, or the file cannot be named in it.
    static func value(for file: String, existing: String?) -> String? {
        // The keys stand in docs/Backtracing.rst of Swift; commas part them, and cannot be quoted.
        guard !file.contains(",") else { return nil }
        let settings =
            "output-to=\(file),format=text,threads=crashed,registers=none,images=none,sanitize=yes,color=no,interactive=no"
        guard let existing, !existing.isEmpty else { return settings }
        return existing == settings || existing.hasPrefix(settings + ",") ? nil : "\(settings),\(existing)"
    }

    /// Begins the program anew with backtraces sent to a file, unless that is so already; returns when it goes on as it is.
    ///
    /// Call it on the main thread, before there is any other: the signals that a thread blocks stay blocked in the program that takes its place.
    package static func restart(writingTo file: URL) {
        #if os(Linux)
            let existing = ProcessInfo.processInfo.environment[environmentVariable]
            guard !isDebuggerAttached, let program = Bundle.main.executablePath,
                let text = value(for: file.path(percentEncoded: false), existing: existing)
            else { return }
            setenv(environmentVariable, text, 1)
            execv(program, CommandLine.unsafeArgv)
            // The program may have been replaced or removed since; this one is as good without backtraces.
            if let existing { setenv(environmentVariable, existing, 1) } else { unsetenv(environmentVariable) }
        #endif
    }

    /// Whether the runtime catches crashes: it has found its backtracer and taken over the signals.
    package static var isBacktracerActive: Bool {
        #if os(Linux)
            var action = sigaction()
            return sigaction(SIGSEGV, nil, &action) == 0 && action.__sigaction_handler.sa_handler != nil
        #else
            return false
        #endif
    }

    /// Whether a debugger holds the program: it would meet the new beginning with all its breakpoints gone, and sees crashes itself.
    private static var isDebuggerAttached: Bool {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").contains { $0.hasPrefix("TracerPid:") && !$0.hasSuffix("\t0") }
    }
}
