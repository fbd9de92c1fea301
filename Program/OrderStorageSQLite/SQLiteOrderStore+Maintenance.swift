import GRDB
package import OrderLifecycle
package import OrderStorage

extension SQLiteOrderStore {
    /// The maximum number of proofs whose bytes are deleted in one transaction, for which commands wait.
    private static let proofBatch = 20

    package func prune(_ retention: OrderRetention, at now: Timestamp) async throws -> Bool {
        let last = try await writer.read { try Int64.fetchOne($0, sql: Self.lastPruningSQL) }.map(Timestamp.init(milliseconds:))
        let time = OrderRetention.referenceTime(after: last, now: now)
        func start(_ duration: Duration) -> Int64 { (time + (.zero - duration)).milliseconds }
        for (sql, value) in [
            ("DELETE FROM verdicts WHERE milliseconds < ?", start(retention.verdicts)),
            (Self.pruneChangesSQL, start(retention.changes)),
            ("DELETE FROM courierPositions WHERE milliseconds < ?", start(retention.positions)),
            (Self.prunePartsSQL, start(retention.incompleteProofs)),
            ("UPDATE people SET name = NULL WHERE revocationTime < ?", start(retention.people)),
            ("DELETE FROM tokens WHERE expiry <= ?", time.milliseconds),
            ("DELETE FROM signInLinks WHERE expiry <= ?", time.milliseconds),
        ] {
            _ = try await changeCount(of: sql, value)
        }
        while try await changeCount(of: Self.pruneProofsSQL, start(retention.proofs)) == Self.proofBatch {}
        // Last, so that the next pruning measures from the same time if this one fails.
        let recorded = OrderRetention.recordedTime(after: last, now: now)
        _ = try await changeCount(of: "UPDATE orderMetadata SET pruneTime = ?", recorded.milliseconds)
        return time == now
    }

    /// Executes a statement in a transaction of its own, and returns the number of changed rows.
    private func changeCount(of sql: String, _ value: Int64) async throws -> Int {
        try await write { database in
            try database.execute(sql: sql, arguments: [value])
            return database.changesCount
        }
    }

    /// Selects the time that the last pruning has recorded; before the first one that of the newest data.
    ///
    /// Skips the time before the oldest data, in which there is nothing to delete: after a first start with a clock decades behind,
    /// daily steps would take too long. The time of a token is that of its last use.
    private static let lastPruningSQL = """
        SELECT MAX(time) FROM (
            SELECT COALESCE(pruneTime, (
                SELECT MAX(time) FROM (
                    SELECT MAX(milliseconds) AS time FROM orderChanges UNION ALL SELECT MAX(milliseconds) FROM verdicts
                    UNION ALL SELECT MAX(storedTime) FROM proofs WHERE content IS NOT NULL
                    UNION ALL SELECT MAX(creationTime) FROM people))) AS time
            FROM orderMetadata
            UNION ALL SELECT MIN(time) FROM (
                SELECT MIN(milliseconds) AS time FROM orderChanges UNION ALL SELECT MIN(milliseconds) FROM verdicts
                UNION ALL SELECT MIN(expiry) - \(OrderRetention.tokenLifetime.components.seconds * 1_000) FROM tokens
                UNION ALL SELECT MIN(storedTime) FROM proofs WHERE content IS NOT NULL
                UNION ALL SELECT MIN(revocationTime) FROM people WHERE name IS NOT NULL))
        """

    private static let pruneProofsSQL = """
        UPDATE proofs SET content = NULL
        WHERE rowid IN (SELECT rowid FROM proofs WHERE content IS NOT NULL AND storedTime < ? LIMIT \(proofBatch))
        """

    /// Deletes all parts of an incomplete proof together: without the first ones, the others would be assembled into a proof.
    private static let prunePartsSQL = """
        DELETE FROM proofParts WHERE (orderID, person, digest) IN (
            SELECT orderID, person, digest FROM proofParts GROUP BY orderID, person, digest HAVING MAX(milliseconds) < ?)
        """

    /// Deletes a beginning of the feed: after the clock was set back, later changes have earlier times, and no reader would notice a gap.
    private static let pruneChangesSQL = """
        DELETE FROM orderChanges WHERE position <= (
            SELECT position FROM orderChanges WHERE milliseconds < ? ORDER BY milliseconds DESC, position DESC LIMIT 1)
        """
}
