import Foundation
import LadingHTTP
import LadingSQLite
import ServerStartup
import ServiceLifecycle

/// Carries the transfers of a data directory while the program runs: those that were left, and those that other programs wish for.
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
            // The rest of the program goes on without.
            Terminal.error.write("lading: transfers are not carried: \(error)\n")
        }
        try? await gracefulShutdown()
    }

    /// Returns nil when the disk has no room for the journal.
    private func openCoordinator() throws -> TransferCoordinator? {
        do { return try TransferCoordinator(directory) } catch let error as DirectoryLock.Failure where error.isDiskFull {
        } catch SQLiteJournalError.diskFull {}
        Terminal.error.reportFullDisk(directory, lost: "transfers are not carried")
        return nil
    }

    private func runTransfers(with coordinator: TransferCoordinator) async throws {
        // A command that carries a transfer of its own gives the directory back when it is done.
        while true {
            if let transfers = try await coordinator.acquireTransfers(engine, restoring: nil) { return try await runQueuedCommands(of: transfers) }
            try await coordinator.waitForNextPoll()
        }
    }

    private func runQueuedCommands(of transfers: FileTransfers) async throws {
        do {
            try await transfers.runQueuedCommands()
            await transfers.shutdown()
        } catch {
            await transfers.shutdown()
            throw error
        }
    }
}
