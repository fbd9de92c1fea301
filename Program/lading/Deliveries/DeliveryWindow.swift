import Deliveries
import DiskSpace
import Foundation
import LadingHTTP
import LadingJournals
import LadingOutbox
import LadingRecords
import LadingSQLite
import Window

/// The deliveries of a window: the stored rows, and the favourites to be sent.
enum DeliveryWindow {
    /// Runs a body with a repository of deliveries while queued favourites are sent.
    ///
    /// The store is closed and the directory unlocked afterwards.
    ///
    /// - Parameters:
    ///   - storedList: The list under whose address deliveries and writes are stored; nil for its own address.
    ///   - directory: The data directory; nil stores nothing permanently.
    static func with(
        _ list: DeliveryList, storedAs storedList: DeliveryList? = nil, in directory: URL?, near: GeographicPoint?, _ engine: Engine,
        _ body: (DeliveryRepository) async throws -> Void
    ) async throws {
        let coordinator = try DeliveryCoordinator(list, storedAs: storedList, in: directory)
        defer { coordinator.close() }
        if let conflict = coordinator.lockConflict { throw ProgramFailure(message: conflict) }
        if let quarantined = coordinator.store.quarantinedFile { Terminal.error.write("lading: \(quarantined)\n") }
        let file = try outboxFile(of: coordinator)
        defer { try? file?.close() }
        if let file, let quarantinedFile = file.quarantinedFile { report(quarantinedFile, recovered: file.recoveredCount) }
        let isDiskFull = coordinator.store.isDiskFull || file?.isDiskFull != false
        if isDiskFull { Terminal.error.reportFullDisk(coordinator.folder, lost: "deliveries and favourites are not stored") }
        let journal: any OutboxJournal = if let file { file } else { FullDiskJournal() }
        let storedList = storedList ?? list
        let outbox = try await Outbox(
            client: engine.client, queue: engine.queue, journal: journal, resolveURL: { list.rebasing($0, from: storedList) })
        let favourites = DeliveryFavourites(of: storedList, in: coordinator.store, outbox: outbox)
        let repository = DeliveryRepository(
            list, store: coordinator.store, favourites: favourites, client: engine.client, images: engine.imageClient, queue: engine.queue,
            near: near, mayHaveLostFavourites: file?.quarantinedFile != nil, isDiskFull: isDiskFull)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await outbox.run() }
            group.addTask { await favourites.run() }
            group.addTask { await retry(outbox, as: engine.client.reachability) }
            defer { group.cancelAll() }
            try await body(repository)
        }
    }

    /// Opens the journal of the favourites; returns nil when the disk is full.
    private static func outboxFile(of coordinator: DeliveryCoordinator) throws -> SQLiteOutboxJournal? {
        guard coordinator.isLocked else { return nil }
        return try FullDisk.opening { try SQLiteOutboxJournal(at: coordinator.outboxFile) }
    }

    private static func report(_ damaged: URL, recovered count: Int) {
        Terminal.error.write(
            """
            lading: the file of pending favourites was damaged: moved it to \(damaged.path) and created a new one. \
            Recovered favourites, which will be sent: \(count); others may be lost.

            """)
    }

    /// Ends the retry delays of writes when a server becomes reachable.
    private static func retry(_ outbox: Outbox, as reachability: ReachabilityMonitor?) async {
        guard let reachability else { return }
        for await change in reachability.changes() where change.isReachable { outbox.retry() }
    }
}
