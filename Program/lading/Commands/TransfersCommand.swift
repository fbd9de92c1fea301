import ArgumentParser
import Foundation
import LadingTransfers

/// `lading transfers`: manages downloads and uploads by id.
struct TransfersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfers", abstract: "List, pause, resume and cancel downloads and uploads.",
        subcommands: [List.self, Resume.self, Pause.self, Cancel.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand, DataDirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "List all transfers.")

        @Flag(help: "Print JSON.")
        var json = false

        @OptionGroup var options: TransferOptions

        var dataDirectory: URL? { options.directory }

        func run() async throws {
            // The command sends no requests, but supports `--trace`.
            try await Engine.with(options.engine) { _ in
                let transfers = try await transfers(from: try TransferCoordinator(options.directory))
                Terminal.output.write(
                    json ? TransferTable.json(transfers) : TransferTable(transfers, width: Terminal.output.tableWidth).text)
            }
        }

        private func transfers(from coordinator: TransferCoordinator) async throws -> [FileTransfer] {
            let hasOwner = try coordinator.hasOwner()
            return try await coordinator.journal.records().map { record in
                var record = record
                // Its process was killed.
                if record.status == .running, !hasOwner { record.status = .pending }
                return FileTransfer(record)
            }
        }
    }

    struct Resume: AsyncParsableCommand, DataDirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Resume a transfer, in the process that runs transfers or in this one.")

        @OptionGroup var selection: TransferSelection

        @Option(
            help: ArgumentHelp("A new URL of the same file, if the old one has expired.", valueName: "url"),
            transform: WebAddress.init(argument:))
        var url: WebAddress?

        var dataDirectory: URL? { selection.options.directory }

        func run() async throws {
            let (id, coordinator) = (selection.id, try TransferCoordinator(selection.options.directory))
            let record = try await coordinator.record(id)
            if record.status == .finished, record.direction == .download {
                return try await TransferLauncher.reportDownloaded(record.remote, at: record.file, selection.options)
            }
            guard !record.status.isFinal else { throw ProgramFailure(message: "transfer \(id) is already \(record.status.rawValue)") }
            if try coordinator.hasOwner() {
                return try await TransferLauncher.enqueue(id, in: coordinator, url: url?.url, selection.options.engine)
            }
            try await TransferLauncher.runToCompletion(id, in: coordinator, url: url?.url, selection.options.engine)
        }
    }

    struct Pause: AsyncParsableCommand, DataDirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "Pause a transfer until it is resumed.")

        @OptionGroup var selection: TransferSelection

        var dataDirectory: URL? { selection.options.directory }

        func run() async throws {
            try await TransferControlRequest(.pause, selection.id, selection.options).send()
        }
    }

    struct Cancel: AsyncParsableCommand, DataDirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "Cancel a transfer, and remove its partial data.")

        @OptionGroup var selection: TransferSelection

        var dataDirectory: URL? { selection.options.directory }

        func run() async throws {
            try await TransferControlRequest(.cancel, selection.id, selection.options).send()
        }
    }
}

/// The id of a transfer, and the data directory that contains it.
struct TransferSelection: ParsableArguments {
    @Argument(
        help: "The id of the transfer.",
        transform: { text in
            guard let id = TransferID(rawValue: text) else {
                throw ValidationError("expected an id of eight letters and digits, as printed by \"lading transfers\"")
            }
            return id
        })
    var id: TransferID

    @OptionGroup var options: TransferOptions
}
