import Logging
import OrderLifecycle
import OrderStorage

/// The periodic work of the API: it sends changes, ends leases, and deletes what is no longer kept.
struct Upkeep: Sendable {
    /// The interval between two searches for leases that are over.
    static let leaseInterval = Duration.seconds(5)
    /// The number of leases that are ended in one transaction.
    private static let leaseLimit = 200
    private static let pruneInterval = Duration.seconds(3_600)

    let store: any OrderStore
    let settings: OrderAPI.Settings
    let changes: ChangeBroadcaster
    let now: @Sendable () -> Timestamp
    let logger: Logger

    /// Works until its task is cancelled.
    func run(clock: some Clock<Duration>) async {
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { await changes.run(clock: clock) }
            tasks.addTask { await repeating("ending leases", every: Self.leaseInterval, clock) { try await expireLeases() } }
            tasks.addTask {
                await repeating("deleting old data", every: Self.pruneInterval, clock) {
                    try await store.prune(settings.retention, at: now())
                }
            }
        }
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
