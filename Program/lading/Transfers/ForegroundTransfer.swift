import Foundation
import LadingTransfers

/// A transfer in the foreground: run by this program if it can acquire the journal, otherwise observed.
struct ForegroundTransfer: Sendable {
    let coordinator: TransferCoordinator
    let id: TransferID
    /// The replacement URL; nil for the existing one.
    var url: URL?
    let engine: Engine

    /// Waits for the end of the transfer.
    ///
    /// - Throws: `ProgramFailure` when it failed, or another program paused it; `CancellationError` after Ctrl-C, which pauses it.
    func run() async throws -> FileTransfer {
        var display = TransferProgressDisplay()
        defer { display.clear() }
        do {
            var hasRequestedResume = false
            while true {
                if let transfers = try await coordinator.acquireTransfers(engine, restoring: []) {
                    return try Self.result(of: try await run(transfers, &display))
                }
                if !hasRequestedResume { try await coordinator.journal.post(TransferCommand(.resume, id, at: url)) }
                hasRequestedResume = true
                if let transfer = try await watch(&display) { return try Self.result(of: transfer) }
            }
        } catch is CancellationError {
            display.clear()
            await reportPause()
            throw CancellationError()
        }
    }

    /// Runs the transfer to its end, or until Ctrl-C.
    private func run(_ transfers: FileTransfers, _ meter: inout TransferProgressDisplay) async throws -> FileTransfer {
        let commands = Task { [coordinator] in try await coordinator.retrying { try await transfers.runQueuedCommands() } }
        do {
            try await transfers.resume(id, at: url)
            for await transfer in transfers.updates(of: id) {
                meter.update(transfer)
                if transfer.status.isFinal || transfer.status == .failed || transfer.status == .paused { break }
            }
            // Cancellation ends the sequence of a task, so pausing needs another task.
            if Task.isCancelled { await Task { [id] in try? await pause(transfers, id) }.value }
        } catch {
            commands.cancel()
            await transfers.shutDown()
            throw error
        }
        commands.cancel()
        await transfers.shutDown()
        let transfer = transfers[id]
        guard let transfer, !Task.isCancelled || transfer.status == .finished else { throw CancellationError() }
        return transfer
    }

    private func pause(_ transfers: FileTransfers, _ id: TransferID) async throws {
        try await transfers.pause(id)
        for await transfer in transfers.updates(of: id) where transfer.status != .running && transfer.status != .pending { break }
    }

    /// Shows the progress of a transfer that another program runs; nil when that program has ended.
    private func watch(_ meter: inout TransferProgressDisplay) async throws -> FileTransfer? {
        do {
            while true {
                let transfer = FileTransfer(try await coordinator.record(id))
                meter.update(transfer)
                if transfer.status.isFinal || transfer.status == .failed { return transfer }
                if transfer.status == .paused, meter.hasBeenRunning { return transfer }
                try await coordinator.waitForNextPoll()
                guard try coordinator.hasOwner() else { return nil }
            }
        } catch is CancellationError {
            let (coordinator, id) = (coordinator, id)
            await Task { try? await coordinator.journal.post(TransferCommand(.pause, id)) }.value
            throw CancellationError()
        }
    }

    private func reportPause() async {
        let (coordinator, id) = (coordinator, id)
        let record = await Task { try? await coordinator.journal.record(of: id) }.value
        let restartNote = record?.isResumable == false ? ", from the beginning because the server does not support resuming" : ""
        Terminal.error.write("lading: paused: resume with \"lading transfers resume \(id)\"\(restartNote)\n")
    }

    private static func result(of transfer: FileTransfer) throws -> FileTransfer {
        switch transfer.status {
        case .finished: return transfer
        case .failed: throw ProgramFailure(message: failure(transfer))
        case .cancelled: throw ProgramFailure(message: "the transfer was cancelled")
        default: throw ProgramFailure(message: "the transfer was paused: resume with \"lading transfers resume \(transfer.id)\"")
        }
    }

    private static func failure(_ transfer: FileTransfer) -> String {
        let reason = transfer.reason ?? "the transfer failed"
        return transfer.completed > 0 ? "\(reason); resume with \"lading transfers resume \(transfer.id)\"" : reason
    }
}
