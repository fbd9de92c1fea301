import Deliveries
import Foundation
import LadingFeeds
import LadingHTTP
import LadingSQLite
import Window

/// The deliveries of a window, put together: what is stored of them, and the marks that wait to be sent.
enum DeliveryWindow {
    /// Runs a body with a board of deliveries, sends what waits meanwhile, and gives the directory back however the body ended.
    ///
    /// - Parameters:
    ///   - known: The list under the address that it is kept by, and its writes are; nil for the one it has.
    ///   - directory: nil keeps nothing beyond the program.
    static func with(
        _ list: DeliveryList, keptAs known: DeliveryList? = nil, in directory: URL?, near: GeographicPoint?, _ engine: Engine,
        _ body: (DeliveryBoard) async throws -> Void
    ) async throws {
        let desk = try DeliveryDesk(list, keptAs: known, in: directory)
        defer { desk.close() }
        if let obstacle = desk.obstacle { throw ProgramFailure(message: obstacle) }
        if let aside = desk.store.setAside { Terminal.error.write("lading: \(aside)\n") }
        let file = try outboxFile(of: desk)
        defer { try? file?.close() }
        if let file, let damaged = file.setAside { report(damaged, recovered: file.recoveredCount) }
        let isDiskFull = desk.store.isDiskFull || file?.isDiskFull != false
        if isDiskFull { Terminal.error.reportFullDisk(desk.folder, lost: "deliveries and marks are not stored") }
        let journal: any OutboxJournal = if let file { file } else { FullDiskJournal() }
        let known = known ?? list
        let outbox = try await Outbox(
            client: engine.client, queue: engine.queue, journal: journal, address: { list.counterpart(of: $0, beside: known) })
        let favourites = DeliveryFavourites(of: known, in: desk.store, through: outbox)
        let board = DeliveryBoard(
            list, store: desk.store, favourites: favourites, client: engine.client, pictures: engine.pictures, queue: engine.queue,
            near: near, mayHaveLostMarks: file?.setAside != nil, isDiskFull: isDiskFull)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await outbox.run() }
            group.addTask { await favourites.run() }
            group.addTask { await retry(outbox, as: engine.client.reachability) }
            defer { group.cancelAll() }
            try await body(board)
        }
    }

    /// Opens the journal of the marks; returns nil when the disk has no room for it.
    private static func outboxFile(of desk: DeliveryDesk) throws -> SQLiteOutboxJournal? {
        guard desk.isLocked else { return nil }
        do { return try SQLiteOutboxJournal(at: desk.outbox) } catch SQLiteJournalError.diskFull { return nil }
    }

    private static func report(_ damaged: URL, recovered count: Int) {
        Terminal.error.write(
            """
            lading: the file of the marks that wait to be sent was damaged: it lies in \(damaged.path) now, and a new one was begun. \
            Of its marks \(count) could be read and will be sent; others may be lost.

            """)
    }

    /// Ends the pauses of writes when a server answers again.
    private static func retry(_ outbox: Outbox, as reachability: ReachabilityMonitor?) async {
        guard let reachability else { return }
        for await change in reachability.changes() where change.isReachable { outbox.retry() }
    }
}
