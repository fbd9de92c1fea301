package import Foundation

/// A program that has been started.
///
/// Started with `posix_spawn` and awaited with `waitpid`: Foundation's `Process` now and then loses the end of a process on Linux.
package final class ChildProcess: Sendable {
    package let output: CapturedOutput
    package let error: CapturedOutput
    package let identifier: pid_t
    private let exitCodes: AsyncStream<Int32>

    /// The tests have fewer files and connections open than this.
    private static let descriptorLimit: Int32 = 1_024

    /// The system's error number.
    package struct SpawnError: Error {
        package let errorNumber: Int32
    }

    /// A program of this package that was built with the tests: it lies beside the test bundle that runs now, whatever the configuration.
    ///
    /// - Parameter source: A file of the tests, from whose place the debug build is found where the tests are run by a program of others.
    package static func builtExecutable(_ name: String, relativeTo source: StaticString = #filePath) -> URL {
        let siblingExecutable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
        if FileManager.default.isExecutableFile(atPath: siblingExecutable.path) { return siblingExecutable }
        let package = URL(filePath: "\(source)").pathComponents.prefix { $0 != "Tests" }
        return URL(filePath: package.joined(separator: "/")).appending(path: ".build/debug/\(name)")
    }

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

    /// Sends a signal.
    package func signal(_ number: Int32) {
        kill(identifier, number)
    }

    /// How many bytes it has read so far, from sockets and files; nil where the system does not tell.
    package var bytesRead: Int? {
        let counts = try? String(contentsOfFile: "/proc/\(identifier)/io", encoding: .utf8)
        return counts?.split(separator: "\n").first { $0.hasPrefix("rchar: ") }.flatMap { Int($0.dropFirst("rchar: ".count)) }
    }

    /// The number of files and connections that it has open; nil where the system does not tell.
    package var descriptorCount: Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").count
    }

    /// The processor time that its threads have used so far, in steps of 10 ms; nil where the system does not tell.
    package var processorTime: Duration? {
        let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
        // Behind the name of the program `utime` and `stime` are the 12th and 13th field, in hundredths of a second (proc_pid_stat(5)).
        let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
        return .milliseconds(10 * (user + system))
    }

    /// Waits for the end: the exit code, or the negative number of the signal that ended it.
    package func waitForExit() async -> Int32 {
        for await code in exitCodes { return code }
        return -1
    }

    /// Asks it to terminate and waits for the end.
    package func terminate() async -> Int32 {
        signal(SIGTERM)
        return await waitForExit()
    }

    private static func spawn(_ words: [String], _ variables: [String: String], output: Int32, error: Int32) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
        // A connection of the tests that the program inherited would stay open when the tests close it.
        for descriptor in STDERR_FILENO + 1..<Self.descriptorLimit { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var arguments = words.map { strdup($0) } + [nil]
        var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var identifier: pid_t = 0
        let number = posix_spawn(&identifier, words[0], &actions, nil, &arguments, &environment)
        guard number == 0 else { throw SpawnError(errorNumber: number) }
        return identifier
    }
}

/// A pipe whose ends no other program inherits.
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
