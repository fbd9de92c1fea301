import Foundation
import LadingTesting

/// A program of these tests that is killed when it has printed enough.
enum KilledProgram {
    /// The longest that a program may run in which an allocation fails.
    private static let patience = Duration.seconds(20)

    /// Runs a program until what it has printed is enough, and kills it.
    ///
    /// - Parameter failedAllocation: The number of the allocation in SQLite that fails; the program may end by itself then, or wait, until it is killed after
    ///   `patience`.
    /// - Returns: The lines that it has printed, those included that came between the signal and the end.
    static func lines(
        _ name: String, _ arguments: [String], failedAllocation: Int? = nil, until isEnough: ([String]) -> Bool
    ) async throws -> [String] {
        var environment = failedAllocation.map { ["LADING_FAILED_ALLOCATION": "\($0)"] } ?? [:]
        // A backtracer whose program is killed may wait for it without end, and keeps its output open.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        let program = try RunningProgram(RunningProgram.built(name), arguments, environment)
        let timer = failedAllocation.map { _ in
            Task {
                try await Task.sleep(for: patience)
                program.signal(SIGKILL)
            }
        }
        defer { timer?.cancel() }
        var lines: [String] = []
        for await line in program.output.lines {
            lines.append(line)
            if isEnough(lines) { program.signal(SIGKILL) }
        }
        _ = await program.end()
        return lines
    }
}

/// What ends a program of these tests.
enum ProgramEnd: CaseIterable {
    /// It is killed when it has printed enough.
    case kill
    /// One allocation of memory in SQLite fails, which GRDB or the program does not survive; it is killed when it does and has printed enough.
    case failedAllocation

    /// Opening a store and a few dozen writes take more allocations than this.
    private static let allocationLimit = 30_000.0

    /// The number of an allocation, small ones as likely as large ones; nil for a kill.
    func allocation(using random: inout some RandomNumberGenerator) -> Int? {
        self == .kill ? nil : Int(exp(Double.random(in: 0...log(Self.allocationLimit), using: &random)))
    }
}
