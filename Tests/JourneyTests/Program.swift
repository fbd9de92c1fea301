import Foundation
import Synchronization

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

    static func run(_ arguments: [String]) async throws -> Outcome {
        let running = try RunningProgram(executable, arguments)
        let code = await running.end()
        return Outcome(code: code, output: await running.output.text(), error: await running.error.text())
    }

    /// Starts the program.
    static func launch(_ arguments: String...) throws -> RunningProgram { try RunningProgram(executable, arguments) }

    /// Starts the program and waits until it has printed a line with an address behind these words.
    static func start(_ arguments: String..., announcing words: String) async throws -> (program: RunningProgram, address: String) {
        let running = try RunningProgram(executable, arguments)
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
final class RunningProgram: Sendable {
    let output: Transcript
    let error: Transcript
    private let process: Mutex<Process>
    private let ends: AsyncStream<Int32>

    init(_ executable: URL, _ arguments: [String]) throws {
        let process = Process()
        let (ends, report) = AsyncStream<Int32>.makeStream()
        let (outputPipe, errorPipe) = (Pipe(), Pipe())
        process.executableURL = executable
        process.arguments = arguments
        process.standardOutput = outputPipe
        process.standardError = errorPipe
        process.standardInput = FileHandle.nullDevice
        process.terminationHandler = { ended in
            report.yield(ended.terminationReason == .exit ? ended.terminationStatus : -ended.terminationStatus)
            report.finish()
        }
        output = Transcript(outputPipe.fileHandleForReading)
        error = Transcript(errorPipe.fileHandleForReading)
        self.ends = ends
        try process.run()
        self.process = Mutex(process)
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        let identifier = process.withLock { $0.processIdentifier }
        kill(identifier, number)
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
}

/// What a program prints, line by line as it comes, and as a whole at the end.
final class Transcript: Sendable {
    let lines: AsyncStream<String>
    private let collected: Task<String, Never>

    init(_ handle: FileHandle) {
        let (lines, report) = AsyncStream<String>.makeStream()
        let (chunks, read) = AsyncStream<Data>.makeStream()
        self.lines = lines
        handle.readabilityHandler = { handle in
            let data = handle.availableData
            guard data.isEmpty else { read.yield(data); return }
            handle.readabilityHandler = nil
            read.finish()
        }
        collected = Task {
            var (all, line) = (Data(), Data())
            for await chunk in chunks {
                all.append(chunk)
                line.append(chunk)
                while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                    report.yield(String(decoding: line[..<end], as: UTF8.self))
                    line = Data(line[line.index(after: end)...])
                }
            }
            report.finish()
            return String(decoding: all, as: UTF8.self)
        }
    }

    /// Everything that was printed, once the program has closed its end.
    func text() async -> String { await collected.value }
}
