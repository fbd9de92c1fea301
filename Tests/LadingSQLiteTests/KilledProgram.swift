import Foundation
import LadingTesting

/// A program of these tests that is killed when it has printed enough.
enum KilledProgram {
    /// Runs a program until what it has printed is enough, and kills it.
    ///
    /// - Returns: The lines that it has printed, those included that came between the signal and the end.
    static func lines(_ name: String, _ arguments: [String], until isEnough: ([String]) -> Bool) async throws -> [String] {
        let program = try RunningProgram(RunningProgram.built(name), arguments)
        var lines: [String] = []
        for await line in program.output.lines {
            lines.append(line)
            if isEnough(lines) { program.signal(SIGKILL) }
        }
        _ = await program.end()
        return lines
    }
}
