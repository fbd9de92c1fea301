import ArgumentParser
import Foundation
import OrderFiles
import OrderLifecycle
import OrderStorage
import Origin

/// `lading export`: writes orders as a file.
struct ExportCommand: AsyncParsableCommand, DataDirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write orders as a file in CSV or JSON Lines.",
        discussion: """
            The file can be imported again. In CSV a value that a spreadsheet would take for a formula begins with an apostrophe, which an \
            import removes. The command works while the server runs.
            """)

    @Option(help: ArgumentHelp("The format: csv or jsonl.", valueName: "format"))
    var format = "csv"

    @Option(help: ArgumentHelp("The states, with commas between them (default: all).", valueName: "states"))
    var state: String?

    @Option(
        help: ArgumentHelp(
            "Words; an order matches if each of them is the beginning of a word in its title, address or note.", valueName: "words"))
    var text: String?

    @Option(
        help: ArgumentHelp(
            """
            The file, which is replaced when the new one is complete; a link stays, and a device or a pipe is written directly (default: \
            standard output).
            """, valueName: "file"), completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("A folder for the proofs of the orders.", valueName: "dir"), completion: .directory)
    var proofs: String?

    @Option(help: SharedDatabaseOptions.dataHelp)
    var data: String?

    @OptionGroup var shared: SharedDatabaseOptions
    @OptionGroup var blobOptions: BlobOptions

    var dataDirectory: URL? { OriginOptions.directory(named: data) }
    var createsStores: Bool { false }

    func validate() throws {
        try OriginOptions.validate(data: data)
        guard OrderFileFormat(fileExtension: format) != nil else { throw ValidationError("'\(format)' is no format: write csv or jsonl.") }
        try blobOptions.validate(withDatabase: shared.commandAddress(data: data))
        for name in names where OrderState(rawValue: name) == nil {
            let states = OrderState.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(name)' is no state: write some of \(states).")
        }
    }

    private var names: [String] { state?.split(separator: ",").map(String.init) ?? [] }

    func run() async throws {
        let states = names.isEmpty ? OrderState.allCases : names.compactMap(OrderState.init(rawValue:))
        let query = BoardQuery(.states(Set(states)), text: text)
        let (count, proofs) = try await withResource(blobOptions.open(), close: { await $0?.shutDown() }) { contents in
            try await withResource(
                OriginOrderFiles(in: shared.location(data: data, proofContents: contents)), close: { try await $0.close() }
            ) { files in
                try await export(query, files)
            }
        }
        let suffix = proofs.map { ", \($0.count) proofs" } ?? ""
        if output != nil || proofs != nil { Terminal.error.write("\(count) orders\(suffix)\n") }
        guard let proofs, !proofs.failures.isEmpty else { return }
        for (proof, error) in proofs.failures {
            Terminal.error.write("lading: \(error) \(proof.digest.rawValue) of order \(proof.order)\n")
        }
        throw ProgramFailure(message: nil)
    }

    private struct WrittenProofs {
        let count: Int
        /// Those that the object store has lost or changed.
        let failures: [(ProofID, ProofContentError)]
    }

    /// Writes orders and proofs, and returns the number of orders; the proofs are nil without `--proofs`.
    private func export(_ query: BoardQuery, _ files: OriginOrderFiles) async throws -> (Int, WrittenProofs?) {
        try await files.completeImports()
        let count = try await write(query, files)
        let proofs = try await SignalHandling.cancelOnInterrupt { try await writeProofs(query, files) }
        return (count, proofs)
    }

    private func write(_ query: BoardQuery, _ files: OriginOrderFiles) async throws -> Int {
        guard let output else {
            return try await writeParts(query, files) { Terminal.output.write(String(decoding: $0, as: UTF8.self)) }
        }
        let target = URL(filePath: output)
        let failure = "cannot write \(target.path): choose a folder that exists and is writable"
        // Before the file is open, Ctrl-C ends the program: a pipe may never have a reader.
        return try await PartFileWriter.write(target, creationFailure: failure) { file in
            try await writeParts(query, files) { try file.write($0) }
        }
    }

    /// Writes the parts of an export until Ctrl-C, and returns the number of orders.
    private func writeParts(
        _ query: BoardQuery, _ files: OriginOrderFiles, to write: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> Int {
        try await SignalHandling.cancelOnInterrupt {
            var export = files.export(query, format: OrderFileFormat(fileExtension: format) ?? .csv)
            while let part = try await export.next() {
                try Task.checkCancellation()
                try write(part)
            }
            return export.count
        }
    }

    private func writeProofs(_ query: BoardQuery, _ files: OriginOrderFiles) async throws -> WrittenProofs? {
        guard let proofs else { return nil }
        let folder = URL(filePath: proofs)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            var failures: [(ProofID, ProofContentError)] = []
            let count = try await files.exportProofs(query, to: folder) { failures.append(($0, $1)) }
            return WrittenProofs(count: count, failures: failures)
        } catch  where ProgramFailure.systemReason(of: error) != nil {
            throw ProgramFailure.cannotWrite(folder, error)
        }
    }
}
