import Foundation

/// The built program, run as a user would run it.
enum Program {
    /// What a run came to.
    struct Outcome: Sendable {
        var code: Int32
        var output: String
        var error: String
    }

    /// Beside the test bundle that runs now, whatever the configuration.
    private static var executable: URL {
        let besideTests = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "lading")
        if FileManager.default.isExecutableFile(atPath: besideTests.path) { return besideTests }
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return package.appending(path: ".build/debug/lading")
    }

    /// Runs the program to its end.
    static func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        let running = try RunningProgram(executable, arguments, environment)
        let code = await running.end()
        return Outcome(code: code, output: await running.output.text(), error: await running.error.text())
    }

    /// Starts the program.
    static func launch(_ arguments: String...) throws -> RunningProgram { try launch(arguments) }

    static func launch(_ arguments: [String]) throws -> RunningProgram { try RunningProgram(executable, arguments) }

    /// Starts the program and waits until it has printed a line with an address behind these words.
    static func start(_ arguments: String..., announcing words: String) async throws -> (program: RunningProgram, address: String) {
        try await start(arguments, announcing: words)
    }

    static func start(
        _ arguments: [String], environment: [String: String] = [:], announcing words: String
    ) async throws -> (program: RunningProgram, address: String) {
        let running = try RunningProgram(executable, arguments, environment)
        for await line in running.output.lines where line.hasPrefix(words) {
            let address = line.dropFirst(words.count).prefix { $0 != " " }
            return (running, String(address))
        }
        let code = await running.end()
        throw Unready(code: code, error: await running.error.text())
    }

    /// The program ended before it said where it is.
    struct Unready: Error {
        let code: Int32
        let error: String
    }
}

/// A program that has been started.
///
/// Started with `posix_spawn` and awaited with `waitpid`: Foundation's `Process` now and then loses the end of a process on Linux.
final class RunningProgram: Sendable {
    let output: Transcript
    let error: Transcript
    let identifier: pid_t
    private let ends: AsyncStream<Int32>

    /// The tests have fewer files and connections open than this.
    private static let descriptorLimit: Int32 = 1_024

    /// The system's error number.
    struct NotStarted: Error {
        let number: Int32
    }

    /// What the program would keep in the user's own folder lies here.
    private static let dataFolder = FileManager.default.temporaryDirectory.appending(path: "lading-tests-\(getpid())")

    /// - Parameter environment: Variables in addition to those of the tests.
    init(_ executable: URL, _ arguments: [String], _ environment: [String: String] = [:]) throws {
        let (outputPipe, errorPipe) = (try ClosingPipe(), try ClosingPipe())
        let variables = ProcessInfo.processInfo.environment.merging(["XDG_DATA_HOME": Self.dataFolder.path]) { $1 }.merging(environment) {
            $1
        }
        identifier = try Self.spawn([executable.path] + arguments, variables, output: outputPipe.writer, error: errorPipe.writer)
        close(outputPipe.writer)
        close(errorPipe.writer)
        output = Transcript(outputPipe.reader)
        error = Transcript(errorPipe.reader)
        let (ends, report) = AsyncStream<Int32>.makeStream()
        self.ends = ends
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
    func signal(_ number: Int32) {
        kill(identifier, number)
    }

    /// How many bytes it has read so far, from sockets and files; nil where the system does not tell.
    var bytesRead: Int? {
        let counts = try? String(contentsOfFile: "/proc/\(identifier)/io", encoding: .utf8)
        return counts?.split(separator: "\n").first { $0.hasPrefix("rchar: ") }.flatMap { Int($0.dropFirst("rchar: ".count)) }
    }

    /// Waits for the end: the exit code, or the negative number of the signal that ended it.
    func end() async -> Int32 {
        for await code in ends { return code }
        return -1
    }

    /// Asks it to terminate and waits for the end.
    func stop() async -> Int32 {
        signal(SIGTERM)
        return await end()
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
        guard number == 0 else { throw NotStarted(number: number) }
        return identifier
    }
}

/// A pipe whose ends no other program inherits.
private struct ClosingPipe {
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw RunningProgram.NotStarted(number: errno) }
        (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
}

/// What a program prints, line by line as it comes, and as a whole at the end.
final class Transcript: Sendable {
    let lines: AsyncStream<String>
    private let collected: Task<String, Never>

    /// - Parameter reader: Read on a thread of its own, and closed after the last byte.
    init(_ reader: Int32) {
        let (lines, report) = AsyncStream<String>.makeStream()
        let (chunks, read) = AsyncStream<[UInt8]>.makeStream()
        self.lines = lines
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let count = Foundation.read(reader, &buffer, buffer.count), count > 0 || (count < 0 && errno == EINTR) {
                if count > 0 { read.yield(Array(buffer[..<count])) }
            }
            close(reader)
            read.finish()
        }
        collected = Task {
            var (all, line): ([UInt8], [UInt8]) = ([], [])
            for await chunk in chunks {
                all += chunk
                line += chunk
                while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                    report.yield(String(decoding: line[..<end], as: UTF8.self))
                    line.removeSubrange(...end)
                }
            }
            report.finish()
            return String(decoding: all, as: UTF8.self)
        }
    }

    /// Everything that was printed, once the program has closed its end.
    func text() async -> String { await collected.value }
}
