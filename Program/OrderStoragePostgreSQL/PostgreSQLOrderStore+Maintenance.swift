#if PostgreSQL
    package import OrderLifecycle
    package import OrderStorage
    import PostgreSQLClient

    extension PostgreSQLOrderStore {
        /// The maximum number of rows in one transaction: a longer one would delay the change feed.
        private static let pruneBatch = 5_000
        /// The number of keys of objects that are read at once.
        private static let contentBatch = 100
        /// The number of objects that cannot be deleted after which no more are.
        private static let failureLimit = 100
        /// The time after which bytes apart from the database that have no proof are deleted; storing one takes seconds.
        private static let pendingTime = Duration.seconds(86_400)

        /// Deletes what is no longer kept. Programs that do so at once share the work: each skips the rows that another one has locked.
        package func prune(_ retention: OrderRetention, at now: Timestamp) async throws -> Bool {
            let now = try await time(now)
            let end = try await advancePruneTime(at: now)
            func start(_ duration: Duration) -> Int64 { (end + (.zero - duration)).milliseconds }
            try await foldFinalCounts()
            try await pruneChanges(before: start(retention.changes))
            try await delete(from: "verdicts", where: "milliseconds < \(start(retention.verdicts))")
            try await delete(from: "courier_positions", where: "milliseconds < \(start(retention.positions))")
            // Deletes all parts of an incomplete proof together: without the first ones, the others would be assembled into a proof.
            let incompleteProofs: PostgreSQLStatement = """
                SELECT order_id, person, digest FROM proof_parts GROUP BY order_id, person, digest
                HAVING max(milliseconds) < \(start(retention.incompleteProofs))
                """
            try await delete(from: "proof_parts", where: "(order_id, person, digest) IN (\(incompleteProofs))")
            try await delete(from: "tokens", where: "expiry <= \(end.milliseconds)")
            try await delete(from: "sign_in_links", where: "expiry <= \(end.milliseconds)")
            try await repeatWhileFull(
                """
                UPDATE proofs SET content = NULL WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM proofs WHERE content IS NOT NULL AND stored_time < \(start(retention.proofs))
                    LIMIT \(Self.pruneBatch) FOR UPDATE SKIP LOCKED))
                """)
            try await client.write("UPDATE people SET name = NULL WHERE revocation_time < \(start(retention.people)) AND name IS NOT NULL")
            // Last, because another store can fail as long as its permissions are wrong.
            try await deleteContents(before: start(retention.proofs), pendingBefore: start(Self.pendingTime))
            return end == now
        }

        /// Returns the time from which this pruning measures ages, and records the time for the next one.
        ///
        /// Skips the time before the oldest data, in which there is nothing to delete: after a first start with a clock decades behind,
        /// daily steps would take too long. The time of a token is that of its last use.
        private func advancePruneTime(at now: Timestamp) async throws -> Timestamp {
            let tokenLifetime = OrderRetention.tokenLifetime.components.seconds * 1_000
            let rows = try await client.read(
                """
                SELECT GREATEST(
                    COALESCE(prune_time, GREATEST(
                        (SELECT max(milliseconds) FROM order_changes), (SELECT max(milliseconds) FROM verdicts),
                        (SELECT max(stored_time) FROM proofs), (SELECT max(creation_time) FROM people))),
                    LEAST(
                        (SELECT min(milliseconds) FROM order_changes), (SELECT min(milliseconds) FROM verdicts),
                        (SELECT min(expiry) FROM tokens) - \(tokenLifetime)::bigint,
                        (SELECT min(stored_time) FROM proofs WHERE content IS NOT NULL),
                        (SELECT min(stored_time) FROM proofs WHERE content_key IS NOT NULL),
                        (SELECT min(revocation_time) FROM people WHERE name IS NOT NULL))) AS time
                FROM order_metadata
                """)
            let last = try rows.first?.timestamp("time")
            let recorded = OrderRetention.recordedTime(after: last, now: now)
            try await client.write("UPDATE order_metadata SET prune_time = \(recorded.milliseconds)")
            return OrderRetention.referenceTime(after: last, now: now)
        }

        /// Deletes the bytes of old proofs, and those without a proof, in the store apart from the database. An object is deleted before its key is.
        ///
        /// - Throws: The first error of an object, after the other ones were deleted.
        private func deleteContents(before time: Int64, pendingBefore pendingTime: Int64) async throws {
            guard let contents else { return }
            var (failedKeys, failure): ([String], (any Error)?) = ([], nil)
            while failedKeys.count < Self.failureLimit {
                let keys = try await contentKeys(before: time, pendingBefore: pendingTime, excluding: failedKeys)
                guard !keys.isEmpty else { break }
                for key in keys {
                    try Task.checkCancellation()
                    do {
                        // Proofs of equal bytes for an order have one key if earlier releases have stored them.
                        if try await !isNeeded(key, since: time) { try await contents.delete(key) }
                        try await client.write([
                            "UPDATE proofs SET content_key = NULL WHERE content_key = \(key) AND stored_time < \(time)",
                            "DELETE FROM pending_proof_contents WHERE content_key = \(key)",
                        ])
                    } catch {
                        failedKeys.append(key)
                        failure = failure ?? error
                    }
                }
            }
            if let failure { throw failure }
        }

        /// Returns keys of old proofs, and of bytes without one, in random order: those that cannot be deleted do not exclude others forever.
        private func contentKeys(
            before time: Int64, pendingBefore pendingTime: Int64, excluding failedKeys: [String]
        ) async throws -> [String] {
            let rows = try await client.read(
                """
                SELECT content_key FROM (
                    SELECT content_key FROM proofs
                    WHERE content_key IS NOT NULL AND stored_time < \(time)
                        AND NOT EXISTS (
                            SELECT 1 FROM proofs AS other WHERE other.content_key = proofs.content_key AND other.stored_time >= \(time))
                    UNION SELECT content_key FROM pending_proof_contents WHERE milliseconds < \(pendingTime)) AS keys
                WHERE content_key <> ALL (\(array: failedKeys)::text[]) ORDER BY random() LIMIT \(Self.contentBatch)
                """)
            return try rows.map { try $0.value("content_key") }
        }

        /// Returns whether a proof that is not old has its bytes in an object.
        private func isNeeded(_ key: String, since time: Int64) async throws -> Bool {
            let rows = try await client.read("SELECT 1 FROM proofs WHERE content_key = \(key) AND stored_time >= \(time) LIMIT 1")
            return !rows.isEmpty
        }

        /// Replaces the changes of the numbers of orders in final states by their sums.
        private func foldFinalCounts() async throws {
            let fold: PostgreSQLStatement = """
                WITH folded AS (
                    DELETE FROM final_order_counts WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM final_order_counts LIMIT \(Self.pruneBatch) FOR UPDATE SKIP LOCKED)) RETURNING state, count),
                sums AS (
                    INSERT INTO final_order_counts (state, count)
                    SELECT state, sum(count) FROM folded GROUP BY state HAVING sum(count) <> 0)
                SELECT count(*) AS count FROM folded
                """
            while try await client.write(fold).first?.value("count") == Self.pruneBatch { try Task.checkCancellation() }
        }

        private func delete(from table: String, where condition: PostgreSQLStatement) async throws {
            try await repeatWhileFull(
                """
                DELETE FROM \(sql: table) WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM \(sql: table) WHERE \(condition) LIMIT \(Self.pruneBatch) FOR UPDATE SKIP LOCKED))
                """)
        }

        private func repeatWhileFull(_ statement: PostgreSQLStatement) async throws {
            while try await client.write(statement).changedCount == Self.pruneBatch { try Task.checkCancellation() }
        }

        /// Deletes old changes from the beginning of the feed, and stores where it begins now: a reader that is not beyond that place reads everything again.
        private func pruneChanges(before time: Int64) async throws {
            // The clocks of programs differ a little, so that a later transaction may have an earlier time; it is deleted the next time.
            let last: PostgreSQLStatement = """
                SELECT transaction, part FROM order_changes WHERE milliseconds < \(time) AND transaction < pg_snapshot_xmin(pg_current_snapshot())
                ORDER BY milliseconds DESC, transaction DESC, part DESC LIMIT 1
                """
            try await client.write(
                """
                UPDATE order_metadata SET pruned_transaction = last.transaction, pruned_part = last.part FROM (\(last)) AS last
                WHERE (last.transaction, last.part) > (pruned_transaction, pruned_part)
                """)
            let pruned: PostgreSQLStatement =
                "(transaction, part) <= (SELECT pruned_transaction, pruned_part FROM order_metadata)"
            try await delete(from: "order_changes", where: pruned)
        }
    }
#endif
