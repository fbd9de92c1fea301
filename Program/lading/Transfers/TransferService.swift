import DiskSpace
import Foundation
import LadingJournals
import LadingTransfers
import ServiceLifecycle

/// A service that runs the transfers of a data directory: pending ones, and those that other programs request.
struct TransferService: Service {
    let directory: URL
    let engine: Engine
    /// The clock of the intervals at which a full disk is tried again.
    var clock: any Clock<Duration> = ContinuousClock()

    func run() async throws {
        // An error other than a full disk ends the program at its start.
        let coordinator = try openCoordinator()
        // A later failure does not affect the other services.
        try? await cancelWhenGracefulShutdown { try await runTransfers(with: coordinator) }
    }

    /// Returns nil when the disk is full.
    private func openCoordinator() throws -> TransferCoordinator? {
        if let coordinator = try FullDisk.opening({ try TransferCoordinator(directory) }) { return coordinator }
        Terminal.error.reportFullDisk(directory, lost: "transfers do not run")
        return nil
    }

    /// Runs transfers until the task is cancelled.
    ///
    /// - Parameter opened: The coordinator; nil when the disk was full, which is tried again until there is room.
    private func runTransfers(with opened: TransferCoordinator?) async throws {
        let coordinator = if let opened { opened } else { try await openOnceThereIsRoom() }
        let transfers = try await coordinator.retrying(onFailure: Self.report) { try await acquireTransfers(from: coordinator) }
        try? await coordinator.retrying(onFailure: Self.report) { try await transfers.runQueuedCommands() }
        await transfers.shutDown()
    }

    private func openOnceThereIsRoom() async throws -> TransferCoordinator {
        while true {
            try await clock.sleep(for: TransferCoordinator.retryInterval)
            if let coordinator = try? TransferCoordinator(directory) { return coordinator }
        }
    }

    private func acquireTransfers(from coordinator: TransferCoordinator) async throws -> FileTransfers {
        // A command that runs its own transfer releases the journal at its end.
        while true {
            if let transfers = try await coordinator.acquireTransfers(engine, restoring: nil) { return transfers }
            try await coordinator.waitForNextPoll()
        }
    }

    private static func report(_ error: any Error) {
        Terminal.error.write("lading: cannot run transfers: \(error)\n")
    }
}
