package import JSONWriting
package import OrderStorage

/// The change feed, for services in the same process.
package struct OrderFeed: Sendable {
    let store: any OrderStore
    let broadcaster: ChangeBroadcaster

    /// The current end of the feed.
    package func position() async throws -> ChangePosition { try await store.position() }

    /// Returns changes after a position, in the order of their commits.
    ///
    /// - Throws: `OrderStoreError.positionExpired`.
    package func changes(after position: ChangePosition, limit: Int) async throws -> ChangePage {
        try await store.changes(after: position, limit: limit)
    }

    /// Returns the ids that other systems have given to orders; those without one are missing.
    package func externalIDs(of orders: Set<Int>) async throws -> [Int: String] {
        var ids: [Int: String] = [:]
        for order in orders { ids[order] = try await store.order(order)?.externalID }
        return ids
    }

    /// Returns an element at once, one for each possible change, and at least one each second, until its task is cancelled. Elements that nobody awaits are merged.
    package func signals() -> AsyncStream<Void> { broadcaster.signals() }
}

extension OrderChange {
    /// Writes the fields of the change as a dispatcher sees it.
    package func write(to json: inout JSONWriter) { ChangeDocument(full: self).write(to: &json) }
}
