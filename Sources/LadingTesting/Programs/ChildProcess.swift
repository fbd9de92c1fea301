package import Foundation

/// A running process.
///
/// It uses `posix_spawn` and `waitpid`, because Foundation's `Process` occasionally misses the exit of a process on Linux.
package final class ChildProcess: Sendable {
    package let output: CapturedOutput
    package let error: CapturedOutput
    package let identifier: pid_t
    private let exitCodes: AsyncStream<Int32>

    /// An upper bound of the file descriptors of the test process.
    private static let descriptorLimit: Int32 = 1_024

    /// An `errno` of the system.
    package struct SpawnError: Error {
        package let errorNumber: Int32
    }

    /// Returns an executable of this package that was built with the tests. It lies beside the running test bundle.
    ///
    /// - Parameter source: A file of the tests, which locates the debug build when the test runner belongs to another program.
    package static func builtExecutable(_ name: String, relativeTo source: StaticString = #filePath) -> URL {
        let siblingExecutable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
        if FileManager.default.isExecutableFile(atPath: siblingExecutable.path) { return siblingExecutable }
        let package = URL(filePath: "\(source)").pathComponents.prefix { $0 != "Tests" }
        return URL(filePath: package.joined(separator: "/")).appending(path: ".build/debug/\(name)")
    }

    /// Starts a process.
    ///
    /// - Parameter environment: Variables in addition to those of the tests.
    package init(_ executable: URL, _ arguments: [String], _ environment: [String: String] = [:]) throws {
        let (outputPipe, errorPipe) = (try CloseOnExecPipe(), try CloseOnExecPipe())
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        identifier = try Self.spawn([executable.path] + arguments, variables, output: outputPipe.writer, error: errorPipe.writer)
        close(outputPipe.writer)
        close(errorPipe.writer)
        output = CapturedOutput(outputPipe.reader)
        error = CapturedOutput(errorPipe.reader)
        let (ends, report) = AsyncStream<Int32>.makeStream()
        self.exitCodes = ends
        let identifier = identifier
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
            let signal = status & 0x7F
            report.yield(signal == 0 ? (status >> 8) & 0xFF : -signal)
            report.finish()
        }
    }

    package func signal(_ number: Int32) {
        kill(identifier, number)
    }

    /// The number of bytes read from sockets and files; nil on systems without `/proc`.
    package var bytesRead: Int? {
        let counts = try? String(contentsOfFile: "/proc/\(identifier)/io", encoding: .utf8)
        return counts?.split(separator: "\n").first { $0.hasPrefix("rchar: ") }.flatMap { Int($0.dropFirst("rchar: ".count)) }
    }

    /// The number of open file descriptors; nil on systems without `/proc`.
    package var descriptorCount: Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").count
    }

    /// The processor time of its threads, in steps of 10 ms; nil on systems without `/proc`.
    package var processorTime: Duration? {
        let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
        // After the program name `utime` and `stime` are the 12th and 13th field, in hundredths of a second (proc_pid_stat(5)).
        let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
        return .milliseconds(10 * (user + system))
    }

    /// Waits for the exit and returns the exit code, or the negated number of the terminating signal.
    package func waitForExit() async -> Int32 {
        for await code in exitCodes { return code }
        return -1
    }

    /// Sends SIGTERM and waits for the exit.
    package func terminate() async -> Int32 {
        signal(SIGTERM)
        return await waitForExit()
    }

    #if os(tvOS) || os(watchOS)
        /// Throws, because these systems do not allow to start processes.
        private static func spawn(_ words: [String], _ variables: [String: String], output: Int32, error: Int32) throws -> pid_t {
            throw SpawnError(errorNumber: ENOTSUP)
        }
    #else
        private static func spawn(_ words: [String], _ variables: [String: String], output: Int32, error: Int32) throws -> pid_t {
            #if canImport(Darwin)
                var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
            #else
                var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
            #endif
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            // Threads of Dispatch block signals, and a shell would inherit that.
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            var noSignals = sigset_t()
            sigemptyset(&noSignals)
            posix_spawnattr_setsigmask(&attributes, &noSignals)
            // Programs inherit ignored signals: SwiftNIO ignores SIGPIPE, and `nohup` SIGHUP.
            var defaultSignals = sigset_t()
            sigemptyset(&defaultSignals)
            for number in [SIGPIPE, SIGHUP] { sigaddset(&defaultSignals, number) }
            posix_spawnattr_setsigdefault(&attributes, &defaultSignals)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
            // An inherited connection would stay open after the tests close it.
            for descriptor in STDERR_FILENO + 1..<Self.descriptorLimit { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            var arguments = words.map { strdup($0) } + [nil]
            var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
            defer { for text in arguments + environment { free(text) } }
            var identifier: pid_t = 0
            let number = posix_spawn(&identifier, words[0], &actions, &attributes, &arguments, &environment)
            guard number == 0 else { throw SpawnError(errorNumber: number) }
            return identifier
        }
    #endif
}

/// A pipe whose ends are not inherited by child processes.
private struct CloseOnExecPipe {
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ChildProcess.SpawnError(errorNumber: errno) }
        (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
}
