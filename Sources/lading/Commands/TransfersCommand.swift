import ArgumentParser
import Foundation
import LadingHTTP

/// `lading transfers`: downloads and uploads by their ids.
struct TransfersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfers", abstract: "Print, pause, resume and cancel downloads and uploads.",
        subcommands: [List.self, Resume.self, Pause.self, Cancel.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand, DataKeeping {
        static let configuration = CommandConfiguration(abstract: "Print all transfers.")

        @Flag(help: "Print JSON.")
        var json = false

        @OptionGroup var options: TransferOptions

        var dataDirectory: URL? { options.directory }

        func run() async throws {
            // No server is asked, but whoever wants a trace gets one.
            try await Engine.with(options.engine) { _ in
                let transfers = try await transfers(at: try TransferDesk(options.directory))
                Terminal.output.write(
                    json ? TransferTable.json(transfers) : TransferTable(transfers, width: Terminal.output.tableWidth).text)
            }
        }

        private func transfers(at desk: TransferDesk) async throws -> [FileTransfer] {
            let isCarried = try desk.isCarried()
            return try await desk.journal.records().map { record in
                var record = record
                // Its program was killed: it waits for another.
                if record.status == .running, !isCarried { record.status = .pending }
                return FileTransfer(record)
            }
        }
    }

    struct Resume: AsyncParsableCommand, DataKeeping {
        static let configuration = CommandConfiguration(
            abstract: "Go on with a transfer: here, or in the running program that carries transfers.")

        @OptionGroup var choice: TransferChoice

        @Option(help: ArgumentHelp("Where the same file is to be had, or to go, when its address has expired.", valueName: "url"))
        var url: WebAddress?

        var dataDirectory: URL? { choice.options.directory }

        func run() async throws {
            let (id, desk) = (choice.id, try TransferDesk(choice.options.directory))
            let record = try await desk.record(id)
            if record.status == .finished, record.direction == .download {
                return try await Foreground.confirm(record.remote, at: record.file, choice.options)
            }
            guard !record.status.isFinal else { throw ProgramFailure(message: "transfer \(id) is \(record.status.rawValue)") }
            if try desk.isCarried() { return try await Foreground.leave(id, at: desk, url: url?.url, choice.options.engine) }
            try await Foreground.finish(id, at: desk, url: url?.url, choice.options.engine)
        }
    }

    struct Pause: AsyncParsableCommand, DataKeeping {
        static let configuration = CommandConfiguration(abstract: "Stop a transfer until it is resumed.")

        @OptionGroup var choice: TransferChoice

        var dataDirectory: URL? { choice.options.directory }

        func run() async throws {
            try await TransferOrder(.pause, choice.id, choice.options).give()
        }
    }

    struct Cancel: AsyncParsableCommand, DataKeeping {
        static let configuration = CommandConfiguration(abstract: "End a transfer for good, and remove what it has left.")

        @OptionGroup var choice: TransferChoice

        var dataDirectory: URL? { choice.options.directory }

        func run() async throws {
            try await TransferOrder(.cancel, choice.id, choice.options).give()
        }
    }
}

/// Which transfer is meant.
struct TransferChoice: ParsableArguments {
    @Argument(
        help: "The id of the transfer.",
        transform: { text in
            guard let id = TransferID(rawValue: text) else {
                throw ValidationError("an id is eight letters and digits, as \"lading transfers\" prints it")
            }
            return id
        })
    var id: TransferID

    @OptionGroup var options: TransferOptions
}
