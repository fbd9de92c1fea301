import Foundation
import Testing

/// A program of these tests that is killed when it has printed enough.
enum KilledProgram {
    /// Runs a program until what it has printed is enough, and kills it.
    ///
    /// - Returns: The lines that it has printed, those included that came between the signal and the end.
    static func lines(_ name: String, _ arguments: [String], until isEnough: ([String]) -> Bool) async throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = try url(of: name)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        var lines: [String] = []
        for await line in output.fileHandleForReading.lines {
            lines.append(line)
            if isEnough(lines) { kill(process.processIdentifier, SIGKILL) }
        }
        return lines
    }

    /// Beside the test bundle that runs now, whatever the configuration.
    private static func url(of name: String) throws -> URL {
        let besideTests = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.build/debug/\(name)")
        return try #require([besideTests, package].first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }
}

extension FileHandle {
    /// The lines that come, as they come, until the end.
    fileprivate var lines: AsyncStream<String> {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        let rest = LineRest()
        readabilityHandler = { handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                return line.finish()
            }
            for text in rest.lines(adding: data) { line.yield(text) }
        }
        return lines
    }
}
