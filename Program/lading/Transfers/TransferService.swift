import DiskSpace
import Foundation
import LadingJournals
import LadingTransfers
import ServiceLifecycle

/// A service that runs the transfers of a data directory: pending ones, and those that other programs request.
struct TransferService: Service {
    let directory: URL
    let engine: Engine

    func run() async throws {
        guard let coordinator = try openCoordinator() else {
            try? await gracefulShutdown()
            return
        }
        do {
            try await cancelWhenGracefulShutdown { try await runTransfers(with: coordinator) }
        } catch is CancellationError {
            return
        } catch {
            // A failure does not affect the other services.
            Terminal.error.write("lading: cannot run transfers: \(error)\n")
        }
        try? await gracefulShutdown()
    }

    /// Returns nil when the disk is full.
    private func openCoordinator() throws -> TransferCoordinator? {
        if let coordinator = try FullDisk.opening({ try TransferCoordinator(directory) }) { return coordinator }
        Terminal.error.reportFullDisk(directory, lost: "transfers do not run")
        return nil
    }

    private func runTransfers(with coordinator: TransferCoordinator) async throws {
        // A command that runs its own transfer releases the journal at its end.
        while true {
            if let transfers = try await coordinator.acquireTransfers(engine, restoring: nil) {
                return try await runQueuedCommands(of: transfers)
            }
            try await coordinator.waitForNextPoll()
        }
    }

    private func runQueuedCommands(of transfers: FileTransfers) async throws {
        do {
            try await transfers.runQueuedCommands()
            await transfers.shutDown()
        } catch {
            await transfers.shutDown()
            throw error
        }
    }
}
