import Foundation
import LadingTesting

/// The built program.
enum Program {
    /// The exit code and the output of a run.
    struct Outcome: Sendable {
        var code: Int32
        var output: String
        var error: String
    }

    private static let executable = ChildProcess.builtExecutable("lading")
    /// A replacement for the user's data folder.
    private static let dataFolder = FileManager.default.temporaryDirectory.appending(path: "lading-tests-\(getpid())")

    /// Runs the program to its exit.
    static func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        await outcome(of: try launch(arguments, environment))
    }

    /// Runs a shell script to its exit, in which `"$0"` is the program and `"$@"` the arguments.
    static func shell(_ script: String, _ arguments: [String] = []) async throws -> Outcome {
        let words = ["-c", script, executable.path] + arguments
        return await outcome(of: try ChildProcess(URL(filePath: "/bin/sh"), words, ["XDG_DATA_HOME": dataFolder.path]))
    }

    private static func outcome(of running: ChildProcess) async -> Outcome {
        let code = await running.waitForExit()
        return Outcome(code: code, output: await running.output.text(), error: await running.error.text())
    }

    /// Starts the program.
    static func launch(_ arguments: String...) throws -> ChildProcess { try launch(arguments) }

    static func launch(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess(executable, arguments, ["XDG_DATA_HOME": dataFolder.path].merging(environment) { $1 })
    }

    /// Starts the program and waits until it has printed a line with these words and an address.
    static func start(_ arguments: String..., announcing words: String) async throws -> (program: ChildProcess, address: String) {
        try await start(arguments, announcing: words)
    }

    static func start(
        _ arguments: [String], environment: [String: String] = [:], announcing words: String
    ) async throws -> (program: ChildProcess, address: String) {
        try await announcedAddress(of: try launch(arguments, environment), words)
    }

    /// Starts the program with a limit on open file descriptors, and waits for its address.
    static func start(
        _ arguments: [String], descriptorLimit: Int, announcing words: String
    ) async throws -> (program: ChildProcess, address: String) {
        try await start(arguments, after: #"ulimit -n "$1""#, "\(descriptorLimit)", announcing: words)
    }

    /// Starts the program with a umask, and waits for its address.
    static func start(
        _ arguments: [String], umask: String, announcing words: String
    ) async throws -> (program: ChildProcess, address: String) {
        try await start(arguments, after: #"umask "$1""#, umask, announcing: words)
    }

    /// Starts the program with a signal that it ignores, as `nohup` does, and waits for its address.
    static func start(
        _ arguments: [String], ignoring signal: String, announcing words: String
    ) async throws -> (program: ChildProcess, address: String) {
        try await start(arguments, after: #"trap "" "$1""#, signal, announcing: words)
    }

    /// Starts the program in the process of a shell that has run a command, in which `"$1"` is a parameter.
    private static func start(
        _ arguments: [String], after command: String, _ parameter: String, announcing words: String
    ) async throws -> (program: ChildProcess, address: String) {
        let script = ["-c", command + #"; shift; exec "$0" "$@""#, executable.path, parameter]
        let running = try ChildProcess(URL(filePath: "/bin/sh"), script + arguments, ["XDG_DATA_HOME": dataFolder.path])
        return try await announcedAddress(of: running, words)
    }

    private static func announcedAddress(
        of running: ChildProcess, _ words: String
    ) async throws -> (program: ChildProcess, address: String) {
        for await line in running.output.lines where line.hasPrefix(words) {
            let address = line.dropFirst(words.count).prefix { $0 != " " }
            return (running, String(address))
        }
        let code = await running.waitForExit()
        throw LaunchError(code: code, error: await running.error.text())
    }

    /// The program exited before it announced its address.
    struct LaunchError: Error {
        let code: Int32
        let error: String
    }
}
