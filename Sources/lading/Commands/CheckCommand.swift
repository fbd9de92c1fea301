import ArgumentParser
import Foundation

/// `lading check`: verifies the stores of a data directory.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Verify the stores of the data directory.",
        discussion: """
            Reads every database, verifies the checksum of every stored body and upload, and prints damaged stores. Changes nothing, and \
            can run while other programs use the directory. Bit errors in rows of lists and of the origin are detected only if the \
            program that wrote them was stopped, not killed: otherwise "ok (structure only)" is printed. The exit code is 1 if a store is \
            damaged.
            """)

    @Option(help: ArgumentHelp("The data directory (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    private var directory: URL { OriginOptions.directory(named: data) }

    func run() async throws {
        var (count, damaged) = (0, 0)
        DataDirectory(directory).check { finding in
            count += 1
            if !finding.problems.isEmpty { damaged += 1 }
            for fault in finding.problems { Terminal.output.write("\(finding.store): damaged: \(fault.oneLine)\n") }
            if finding.problems.isEmpty {
                Terminal.output.write("\(finding.store): ok\(finding.limitation.map { " (\($0))" } ?? "")\n")
            }
        }
        if count == 0 { Terminal.error.write("lading: no stores in \(directory.path(percentEncoded: false).oneLine)\n") }
        if damaged > 0 { throw ProgramFailure(message: "\(damaged) of \(count) stores are damaged") }
    }
}
