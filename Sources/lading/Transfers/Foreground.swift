import Foundation
import LadingHTTP

/// What `download`, `upload` and `transfers resume` have in common: a transfer is written down, then waited for or left to others.
enum Foreground {
    static func run(_ record: TransferRecord, _ options: TransferOptions, inBackground: Bool) async throws {
        let desk = try TransferDesk(options.directory)
        let id = try await desk.enter(record)
        if inBackground { try await leave(id, at: desk, options.engine) } else { try await finish(id, at: desk, options.engine) }
    }

    /// Prints that a file is there already, when it is what was downloaded from this address.
    ///
    /// - Throws: `TransferError.targetExists` when it is another file, or is not whole.
    static func confirm(_ remote: URL, at file: URL, _ options: TransferOptions) async throws {
        // No server is asked, but there is a trace where one is wanted.
        try await Engine.with(options.engine) { _ in
            guard let record = try await TransferDesk(options.directory).wholeDownload(of: remote, to: file) else {
                throw TransferError.targetExists(file)
            }
            Terminal.output.write("\(file.path(percentEncoded: false)): \(TransferMeter.size(record.completed)), downloaded before\n")
        }
    }

    /// Leaves a transfer to the program that carries transfers, or to the next that will.
    static func leave(_ id: TransferID, at desk: TransferDesk, url: URL? = nil, _ engine: EngineOptions) async throws {
        // What is left to others is in their trace and their recording; those asked for here are empty, but there.
        try await Engine.with(engine) { _ in
            try await desk.journal.post(TransferWish(.resume, id, at: url))
            Terminal.output.write("\(id)\n")
        }
        guard try !desk.isCarried() else { return }
        Terminal.error.write(
            """
            lading: nobody carries the transfers of \(desk.directory.path) now. "lading run" with the same --data will, \
            and "lading transfers resume \(id)" does it here.

            """)
    }

    static func finish(_ id: TransferID, at desk: TransferDesk, url: URL? = nil, _ engine: EngineOptions) async throws {
        try await Interruption.cancelling {
            try await Engine.with(engine) { engine in
                let transfer = try await TransferRun(desk: desk, id: id, url: url, engine: engine).finish()
                let manner =
                    transfer.direction == .upload && transfer.isResumable == false
                    ? " (in one piece: the server knows no resumable uploads)" : ""
                let end = transfer.direction == .download ? transfer.file.path(percentEncoded: false) : transfer.remote.redacted
                Terminal.output.write("\(end): \(TransferMeter.size(transfer.completed))\(manner)\n")
            }
        }
    }
}
