import ArgumentParser
import Foundation

/// `lading check`: verifies the stores of a data directory.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Verify what is kept on disk.",
        discussion: """
            Reads every database of the data directory, and every body with its checksums, and prints what is damaged. Nothing is changed, and programs that \
            use the directory may run. Changed bits inside of rows of lists and of the origin are found when the program that wrote them was stopped, not killed. \
            The exit code is 1 when something is damaged.
            """)

    @Option(help: ArgumentHelp("What to verify (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    private var directory: URL { OriginOptions.directory(named: data) }

    func run() async throws {
        var (count, damaged) = (0, 0)
        DataDirectory(directory).check { finding in
            count += 1
            if !finding.problems.isEmpty { damaged += 1 }
            for fault in finding.problems { Terminal.output.write("\(finding.store): damaged: \(fault.oneLine)\n") }
            if finding.problems.isEmpty { Terminal.output.write("\(finding.store): ok\n") }
        }
        if count == 0 { Terminal.error.write("lading: there is nothing to verify in \(directory.path(percentEncoded: false).oneLine)\n") }
        if damaged > 0 { throw ProgramFailure(message: "\(damaged) of \(count) stores are damaged") }
    }
}
