import Foundation
import LadingTesting

/// A test program that is killed after it has printed enough lines.
enum KilledProgram {
    /// The maximum duration of a program with a failed allocation.
    private static let timeLimit = Duration.seconds(20)

    /// Runs a program until it has printed enough lines, and kills it.
    ///
    /// - Parameter failedAllocation: The number of the SQLite allocation that fails; the program may then end by itself, or wait
    ///   until it is killed after `timeLimit`.
    /// - Returns: The printed lines, including those after the signal.
    static func lines(
        _ name: String, _ arguments: [String], failedAllocation: Int? = nil, until isEnough: ([String]) -> Bool
    ) async throws -> [String] {
        let program = try start(name, arguments, failedAllocation: failedAllocation)
        let timer = failedAllocation.map { _ in killTimer(for: program) }
        defer { timer?.cancel() }
        var lines: [String] = []
        for await line in program.output.lines {
            lines.append(line)
            if isEnough(lines) { program.signal(SIGKILL) }
        }
        _ = await program.waitForExit()
        return lines
    }

    /// Starts a program.
    ///
    /// - Parameter failedAllocation: The number of the SQLite allocation that fails; nil for none.
    static func start(_ name: String, _ arguments: [String], failedAllocation: Int? = nil) throws -> ChildProcess {
        var environment = failedAllocation.map { ["LADING_FAILED_ALLOCATION": "\($0)"] } ?? [:]
        // A backtracer whose program is killed may not end, and then keeps the output open.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        return try ChildProcess(ChildProcess.builtExecutable(name), arguments, environment)
    }

    /// Returns a task that kills a program after `timeLimit`, because it may wait forever after a failed allocation. The caller cancels it.
    static func killTimer(for program: ChildProcess) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: timeLimit)
            program.signal(SIGKILL)
        }
    }
}

/// The cause that ends a test program.
enum ProgramEnd: CaseIterable {
    /// A kill after enough lines.
    case kill
    /// A failed allocation in SQLite, which usually ends the process; otherwise it is killed after enough lines.
    case failedAllocation

    /// The upper limit of the number of a failed allocation: fewer than a store and a few dozen writes make.
    private static let allocationLimit = 30_000.0

    /// Returns the number of the allocation to fail, with a logarithmic distribution; nil for a kill.
    func allocation(using random: inout some RandomNumberGenerator) -> Int? {
        self == .kill ? nil : Int(exp(Double.random(in: 0...log(Self.allocationLimit), using: &random)))
    }
}
