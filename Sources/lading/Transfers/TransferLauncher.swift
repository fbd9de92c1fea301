import Foundation
import LadingHTTP

/// The common part of `download`, `upload` and `transfers resume`: stores a transfer, then runs or enqueues it.
enum TransferLauncher {
    static func run(_ record: TransferRecord, _ options: TransferOptions, inBackground: Bool) async throws {
        let coordinator = try TransferCoordinator(options.directory)
        let id = try await coordinator.findOrCreate(record)
        if inBackground {
            try await enqueue(id, in: coordinator, options.engine)
        } else {
            try await runToCompletion(id, in: coordinator, options.engine)
        }
    }

    /// Reports that a file exists, if it was downloaded from this URL.
    ///
    /// - Throws: `ProgramFailure` when the file no longer exists; `TransferError.targetExists` when it is another file, or is incomplete.
    static func reportDownloaded(_ remote: URL, at file: URL, _ options: TransferOptions) async throws {
        // The command sends no requests, but supports `--trace`.
        try await Engine.with(options.engine) { _ in
            let path = file.path(percentEncoded: false)
            guard FileManager.default.fileExists(atPath: path) else {
                throw ProgramFailure(
                    message: "\(path) was downloaded, but no longer exists: "
                        + "download it again with \"lading download \(remote.redacted) --to \(path)\"")
            }
            guard let record = try await TransferCoordinator(options.directory).completeDownload(of: remote, to: file) else {
                throw TransferError.targetExists(file)
            }
            Terminal.output.write("\(path): \(TransferProgressDisplay.size(record.completed)), already downloaded\n")
        }
    }

    /// Posts a command that resumes a transfer, for the process that owns the journal now or later, and prints the id of the transfer.
    static func enqueue(_ id: TransferID, in coordinator: TransferCoordinator, url: URL? = nil, _ engineOptions: EngineOptions)
        async throws
    {
        // That process sends the requests: the trace and the recording of this command are valid, but empty.
        try await Engine.with(engineOptions) { _ in
            try await coordinator.journal.post(TransferCommand(.resume, id, at: url))
            Terminal.output.write("\(id)\n")
        }
        guard try !coordinator.hasOwner() else { return }
        Terminal.error.write(
            """
            lading: no process runs the transfers of \(coordinator.directory.path): start "lading run" with the same --data, \
            or resume here with "lading transfers resume \(id)"

            """)
    }

    static func runToCompletion(_ id: TransferID, in coordinator: TransferCoordinator, url: URL? = nil, _ engineOptions: EngineOptions)
        async throws
    {
        try await SignalHandling.cancelOnInterrupt {
            try await Engine.with(engineOptions) { engine in
                let transfer = try await ForegroundTransfer(coordinator: coordinator, id: id, url: url, engine: engine).run()
                let suffix =
                    transfer.direction == .upload && transfer.isResumable == false
                    ? " (in a single request: the server does not support resumable uploads)" : ""
                let destination = transfer.direction == .download ? transfer.file.path(percentEncoded: false) : transfer.remote.redacted
                Terminal.output.write("\(destination): \(TransferProgressDisplay.size(transfer.completed))\(suffix)\n")
            }
        }
    }
}
