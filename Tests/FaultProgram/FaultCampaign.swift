import CFileFaults
import Foundation
import LadingTesting

/// A series of runs of one scenario, with another failing system call in each.
struct FaultCampaign {
    /// The error thrown when almost no call is counted, because the calls of SQLite and Foundation bypass this program.
    struct NoCallsCounted: Error {}

    private struct Fault: CustomStringConvertible {
        var error: Int32
        /// The number of the first call that fails; 0 for none.
        var call: Int
        /// Whether all later calls fail as well.
        var isPersistent: Bool

        var last: Int { isPersistent && call > 0 ? .max : call }

        var description: String { "\(String(cString: strerror(error))), call \(call)\(isPersistent ? " and all later ones" : "")" }
    }

    private static let errors = [EIO, ENOSPC, EMFILE]
    /// The minimum number of counted calls in every scenario, for any error.
    private static let minimumCallCount = 20

    private let store: FaultStore
    private let directory: URL
    /// The number of random calls for each error; nil for all calls.
    private let count: Int?
    private var random: SeededRandom
    private var runCount = 0
    private(set) var problemCount = 0

    init(store: FaultStore, directory: URL, count: Int?, random: SeededRandom) {
        (self.store, self.directory, self.count, self.random) = (store, directory, count, random)
    }

    /// Lets each system call of the store fail once, with each error.
    ///
    /// - Throws: `NoCallsCounted`, and errors of preparing a scenario.
    mutating func run() async throws {
        for error in Self.errors {
            for isLasting in [false, true] { try await run(error, isPersistent: isLasting) }
        }
    }

    private mutating func run(_ error: Int32, isPersistent: Bool) async throws {
        let total = try await callCount(of: Fault(error: error, call: 0, isPersistent: isPersistent))
        guard total >= (error == EIO ? Self.minimumCallCount : 1) else { throw NoCallsCounted() }
        if let count {
            for _ in 0..<count {
                let call = Int.random(in: 1...total, using: &random)
                _ = try await callCount(of: Fault(error: error, call: call, isPersistent: isPersistent))
            }
        } else {
            var call = 1
            while try await callCount(of: Fault(error: error, call: call, isPersistent: isPersistent)) >= call { call += 1 }
        }
    }

    /// Runs the scenario once with a fault and returns the number of calls that can fail.
    private mutating func callCount(of fault: Fault) async throws -> Int {
        printLine("\(fault)")
        runCount += 1
        let folder = directory.appending(path: "run-\(runCount)", directoryHint: .isDirectory)
        for directory in [folder, folder.stagingDirectory] {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        }
        defer { for made in [folder, folder.stagingDirectory] { try? FileManager.default.removeItem(at: made) } }
        var scenario = store.scenario(in: folder)
        try await scenario.prepare()

        file_faults_begin(folder.path, fault.error, fault.call, fault.last)
        await scenario.run()
        let count = file_faults_end()

        var problems: [String]
        do { problems = try await scenario.problems() } catch { problems = ["the store cannot be used any more: \(error)"] }
        for problem in problems { printLine("    \(problem)") }
        problemCount += problems.count
        return count
    }

    private func printLine(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
