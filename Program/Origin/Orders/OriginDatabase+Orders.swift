import Foundation
import GRDB
import OrderAPI
import OrderLifecycle
import OrderStorage
import OrderStorageSQLite

extension OriginDatabase {
    /// The number of stored orders between two updates of the progress.
    private static let ordersPerUpdate = 1_000

    /// Returns the store of the orders.
    func orders(_ limits: LifecycleLimits = LifecycleLimits()) -> SQLiteOrderStore {
        SQLiteOrderStore(writer, limits: limits, isStored: !isReplacement)
    }

    /// Replaces the stored orders with those of a demo in one transaction, and returns the date of their last change.
    ///
    /// Changes nothing when they are stored already, or when the stored orders are not those of a demo. Orders that somebody has claimed or changed stay.
    ///
    /// - Parameters:
    ///   - isDefaultCount: Whether the number of orders was not chosen: the stored one, even none, takes precedence.
    ///   - onProgress: Called while orders are stored and indexed.
    func fill(
        with demo: DemoOrders, isDefaultCount: Bool = false, now: Date, onProgress: @escaping @Sendable (SetupProgress) -> Void = { _ in }
    ) async throws(OriginError) -> Date {
        do {
            return try await writer.write { database in
                let stored = try DemoMetadata.fetchOne(in: .orders, database)
                let count = stored?.count ?? demo.count
                let demo = isDefaultCount && DemoOrders.allowedCounts.contains(count) ? demo.withCount(count) : demo
                if let stored, stored.hasSameRows(as: demo.metadata(now: now)) { return stored.date }
                if stored == nil, try Int.fetchOne(database, sql: "SELECT id FROM orders LIMIT 1") != nil { return now }
                let orders = demo.ids.lazy.map { id in
                    if id.isMultiple(of: Self.ordersPerUpdate) || id == demo.count {
                        onProgress(SetupProgress(step: .orders, completed: id, total: demo.count))
                    }
                    return (id: id, content: OrderContent(demo.order(id)))
                }
                try SQLiteOrderStore.replaceDemo(with: orders, in: database) { completed, total in
                    onProgress(SetupProgress(step: .indexes, completed: completed, total: total))
                }
                return try demo.metadata(now: now).save(in: .orders, database).date
            }
        } catch {
            throw Self.originError(error, file: file)
        }
    }

    /// Sets the times of the demo's orders that have passed to their next occurrence. Without room on the disk they stay.
    func setTimesOfDemoOrders(_ schedule: DemoSchedule) async {
        try? await orders().setTimesOfDemo(at: Timestamp(schedule.now())) { schedule.nextTime(of: $0).map { Timestamp($0) } }
    }

    /// Whether the stored orders are those of a demo.
    func hasDemoOrders() async throws(OriginError) -> Bool {
        do {
            return try await writer.read { try DemoMetadata.fetchOne(in: .orders, $0) } != nil
        } catch {
            throw Self.originError(error, file: file)
        }
    }
}
