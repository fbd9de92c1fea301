import ArgumentParser
import Foundation
import Origin

/// `lading check`: verifies the stores of a data directory or of a shared database.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Verify the stores of the data directory, or of a shared database.",
        discussion: """
            Reads every database, verifies the checksum of every stored body and upload, and prints damaged stores. Changes nothing, and \
            can run while other programs use the directory. Bit errors in rows of lists and of the origin are detected only if the \
            program that wrote them was stopped, not killed, and if the file of the origin has at most 256 MiB: otherwise \
            "ok (structure only)" is printed. A store that cannot be read, on a full disk for instance, is not called damaged but \
            "cannot be checked". The exit code is 1 if a store is damaged or cannot be checked, or if the directory is missing or cannot \
            be read.

            With a shared database, its stores are verified instead, and those of a directory only with --data: the tables, orders \
            against their events, verdicts and the change feed against both, proofs against their digests, and the parts of uploads. \
            Proofs in an object store are read only with --blobs. Servers may run.
            """)

    @Option(help: ArgumentHelp("The data directory (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    @OptionGroup var shared: SharedDatabaseOptions
    @OptionGroup var blobOptions: BlobOptions

    func validate() throws {
        try OriginOptions.validate(data: data)
        try blobOptions.validate(withDatabase: shared.address)
    }

    func run() async throws {
        var summary = CheckSummary()
        if data != nil || shared.address == nil { try checkDirectory(&summary) }
        if let address = shared.address { summary = try await checkDatabase(at: address, after: summary) }
        if let message = summary.failureMessage { throw ProgramFailure(message: message) }
    }

    private func checkDirectory(_ summary: inout CheckSummary) throws {
        let directory = OriginOptions.directory(named: data)
        try DataDirectory(directory).check { summary.add($0) }
        if summary.count == 0 { Terminal.error.write("lading: no stores in \(directory.path(percentEncoded: false).oneLine)\n") }
    }

    // MARK: - Shared databases

    private func checkDatabase(at address: String, after summary: CheckSummary) async throws -> CheckSummary {
        try await withResource(blobOptions.open(), close: { await $0?.shutDown() }) { contents in
            try await withResource(SharedDatabaseCheck(of: address, proofContents: contents), close: { await $0.close() }) { check in
                try await SignalHandling.cancelOnInterrupt { try await Self.verify(check, after: summary) }
            }
        }
    }

    private static func verify(_ check: SharedDatabaseCheck, after summary: CheckSummary) async throws -> CheckSummary {
        var summary = summary
        let bar = CheckProgressBar()
        defer { bar.clear() }
        for store in SharedDatabaseCheck.Store.allCases {
            let name = "database/\(store.rawValue)"
            let report = try await check.report(on: store) { bar.advance(name, to: $0, of: $1) }
            bar.clear()
            summary.add(DataDirectory.Finding(store: name, problems: report.problems, limitation: report.limitation))
            if store == .schema, !report.problems.isEmpty { break }
        }
        return summary
    }
}

/// The number of verified stores, which are printed as they are added.
private struct CheckSummary: Sendable {
    private(set) var count = 0
    private var damaged = 0
    private var unverified = 0

    /// The message of the failure if a store is damaged or could not be verified; otherwise nil.
    var failureMessage: String? {
        let failures = [(damaged, "are damaged"), (unverified, "cannot be checked")].filter { $0.0 > 0 }
        return failures.isEmpty ? nil : failures.map { "\($0.0) of \(count) stores \($0.1)" }.joined(separator: ", ")
    }

    mutating func add(_ finding: DataDirectory.Finding) {
        count += 1
        if !finding.problems.isEmpty { damaged += 1 } else if finding.obstacle != nil { unverified += 1 }
        for fault in finding.problems { Terminal.output.write("\(finding.store): damaged: \(fault.oneLine)\n") }
        if let obstacle = finding.obstacle { Terminal.output.write("\(finding.store): cannot be checked: \(obstacle.oneLine)\n") }
        if finding.problems.isEmpty, finding.obstacle == nil {
            Terminal.output.write("\(finding.store): ok\(finding.limitation.map { " (\($0))" } ?? "")\n")
        }
    }
}
