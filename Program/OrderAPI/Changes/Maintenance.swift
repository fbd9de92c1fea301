import Logging
import OrderFiles
import OrderLifecycle
import OrderStorage

/// The periodic work of the API: it sends changes, ends leases, and deletes what is no longer kept.
struct Maintenance: Sendable {
    /// The interval between two searches for leases that are over.
    static let leaseInterval = Duration.seconds(5)
    /// The number of leases that are ended in one transaction.
    private static let leaseLimit = 200
    /// The interval between two observations of the change feed: a delay of this length or more is reported.
    private static let observationInterval = Duration.seconds(2)
    private static let pruneInterval = Duration.seconds(3_600)
    /// The time after which an import that was not accepted is discarded, in seconds.
    private static let importTime = 86_400

    let store: any OrderImportStore
    let settings: OrderAPI.Settings
    let changes: ChangeBroadcaster
    let now: @Sendable () -> Timestamp
    let logger: Logger

    /// Works until its task is cancelled.
    func run(clock: some Clock<Duration>) async {
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { await changes.run(clock: clock, logger: logger) }
            if let shared = store as? any SharedOrderStore {
                tasks.addTask { await shared.followHints { [changes] in changes.notify() } }
                tasks.addTask { await reportDelays(clock) }
            }
            tasks.addTask { await repeating("creating imported orders", every: Self.leaseInterval, clock) { try await completeImports() } }
            tasks.addTask { await repeating("ending leases", every: Self.leaseInterval, clock) { try await expireLeases() } }
            tasks.addTask { await repeating("deleting old data", every: Self.pruneInterval, clock) { try await deleteOldData() } }
        }
    }

    /// Reports once when the change feed waits for an older transaction in the database, such as one that was forgotten, and once when it has ended.
    private func reportDelays(_ clock: some Clock<Duration>) async {
        var delayed: ChangePosition?
        var isReported = false
        await repeating("observing the change feed", every: Self.observationInterval, clock) {
            let page = try await store.changes(after: store.position(), limit: 1)
            let isDelayed = page.isHeldBack && page.position == delayed
            delayed = page.isHeldBack ? page.position : nil
            if isDelayed, !isReported {
                logger.warning(
                    "An older transaction in the database delays the change feed.", metadata: ["position": "\(page.position.text)"])
            } else if isReported, !page.isHeldBack {
                logger.notice("The change feed is not delayed any more.")
            }
            isReported = page.isHeldBack && (isReported || isDelayed)
        }
    }

    /// Creates the orders of imports that were interrupted.
    func completeImports() async throws {
        for id in try await store.unfinishedImports() {
            try await OrderImporter.complete(id, in: store, now: now) { [changes] _ in changes.notify() }
        }
    }

    /// Deletes old imports and other old data; the failure of one does not prevent the other.
    ///
    /// Reports old data that remains, because it is kept for longer than its time.
    func deleteOldData() async throws {
        var failure: (any Error)?
        do { try await store.discardImports(before: now() + .seconds(-Self.importTime)) } catch { failure = error }
        if try await !store.prune(settings.retention, at: now()) {
            logger.notice("Old data is deleted a day at a time, because the server did not run for long or its clock was wrong.")
        }
        if let failure { throw failure }
    }

    /// Ends the leases that are over.
    func expireLeases() async throws {
        var count = 0
        repeat {
            count = try await store.expireLeases(at: now(), limit: Self.leaseLimit)
            if count > 0 { changes.notify() }
        } while count == Self.leaseLimit
    }

    private func repeating(
        _ title: String, every interval: Duration, _ clock: some Clock<Duration>, _ work: () async throws -> Void
    ) async {
        while !Task.isCancelled {
            do { try await work() } catch is CancellationError { return } catch {
                logger.error("The work is repeated later.", metadata: ["work": "\(title)", "error": "\(error)"])
            }
            do { try await clock.sleep(for: interval) } catch { return }
        }
    }
}
