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
            program that wrote them was stopped, not killed: otherwise "ok (structure only)" is printed. The exit code is 1 if a store is \
            damaged.

            With a shared database, its stores are verified instead, and those of a directory only with --data: the tables, orders \
            against their events, verdicts and the change feed against both, proofs against their digests, and the parts of uploads. \
            Proofs in an object store are read only with --blobs. Servers may run.
            """)

    @Option(help: ArgumentHelp("The data directory (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    @OptionGroup var shared: SharedDatabaseOptions
    @OptionGroup var blobOptions: BlobOptions

    func validate() throws { try blobOptions.validate(with: shared) }

    func run() async throws {
        var summary = CheckSummary()
        if data != nil || shared.address == nil { checkDirectory(&summary) }
        if let address = shared.address { summary = try await checkDatabase(at: address, after: summary) }
        if summary.damaged > 0 { throw ProgramFailure(message: "\(summary.damaged) of \(summary.count) stores are damaged") }
    }

    private func checkDirectory(_ summary: inout CheckSummary) {
        let directory = OriginOptions.directory(named: data)
        DataDirectory(directory).check { summary.add($0) }
        if summary.count == 0 { Terminal.error.write("lading: no stores in \(directory.path(percentEncoded: false).oneLine)\n") }
    }

    // MARK: - Shared databases

    private func checkDatabase(at address: String, after summary: CheckSummary) async throws -> CheckSummary {
        let contents = try await blobOptions.open()
        do {
            let check = try SharedDatabaseCheck(of: address, proofContents: contents)
            let result = try await SignalHandling.cancelOnInterrupt { try await Self.verify(check, after: summary) }
            await check.close()
            await contents?.shutDown()
            return result
        } catch {
            await contents?.shutDown()
            throw error
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
    private(set) var damaged = 0

    mutating func add(_ finding: DataDirectory.Finding) {
        count += 1
        if !finding.problems.isEmpty { damaged += 1 }
        for fault in finding.problems { Terminal.output.write("\(finding.store): damaged: \(fault.oneLine)\n") }
        if finding.problems.isEmpty {
            Terminal.output.write("\(finding.store): ok\(finding.limitation.map { " (\($0))" } ?? "")\n")
        }
    }
}
