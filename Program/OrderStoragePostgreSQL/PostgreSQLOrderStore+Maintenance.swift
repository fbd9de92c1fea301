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

        /// Deletes what is no longer kept. Programs that do so at once share the work: each skips the rows that another one has locked.
        package func prune(_ retention: OrderRetention, at now: Timestamp) async throws {
            let now = try await time(now)
            func start(_ duration: Duration) -> Int64 { (now + (.zero - duration)).milliseconds }
            try await pruneChanges(before: start(retention.changes))
            try await delete(from: "verdicts", where: "milliseconds < \(start(retention.verdicts))")
            try await delete(from: "courier_positions", where: "milliseconds < \(start(retention.positions))")
            try await delete(from: "proof_parts", where: "milliseconds < \(start(retention.incompleteProofs))")
            try await delete(from: "tokens", where: "expiry <= \(now.milliseconds)")
            try await delete(from: "sign_in_links", where: "expiry <= \(now.milliseconds)")
            try await repeatWhileFull(
                """
                UPDATE proofs SET content = NULL WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM proofs WHERE content IS NOT NULL AND stored_time < \(start(retention.proofs))
                    LIMIT \(Self.pruneBatch) FOR UPDATE SKIP LOCKED))
                """)
            try await client.write("UPDATE people SET name = NULL WHERE revocation_time < \(start(retention.people)) AND name IS NOT NULL")
            // Last, because another store can fail as long as its permissions are wrong.
            try await deleteContents(before: start(retention.proofs))
        }

        /// Deletes the bytes of old proofs in the store that is apart from the database. An object is deleted before its key is.
        ///
        /// - Throws: The first error of an object, after the other ones were deleted.
        private func deleteContents(before time: Int64) async throws {
            guard let contents else { return }
            var (failedKeys, failure): ([String], (any Error)?) = ([], nil)
            while failedKeys.count < Self.failureLimit {
                let keys = try await contentKeys(before: time, excluding: failedKeys)
                guard !keys.isEmpty else { break }
                for key in keys {
                    try Task.checkCancellation()
                    do {
                        // Somebody may have stored the same bytes for the order meanwhile.
                        guard try await !isNeeded(key, since: time) else { continue }
                        try await contents.delete(key)
                        try await client.write(
                            "UPDATE proofs SET content_key = NULL WHERE content_key = \(key) AND stored_time < \(time)")
                    } catch {
                        failedKeys.append(key)
                        failure = failure ?? error
                    }
                }
            }
            if let failure { throw failure }
        }

        /// Returns keys of old proofs in random order, so that those that cannot be deleted do not exclude others forever.
        private func contentKeys(before time: Int64, excluding failedKeys: [String]) async throws -> [String] {
            let rows = try await client.read(
                """
                SELECT content_key FROM proofs
                WHERE content_key IS NOT NULL AND content_key <> ALL (\(array: failedKeys)::text[]) AND stored_time < \(time)
                    AND NOT EXISTS (
                        SELECT 1 FROM proofs AS other WHERE other.content_key = proofs.content_key AND other.stored_time >= \(time))
                GROUP BY content_key ORDER BY random() LIMIT \(Self.contentBatch)
                """)
            return try rows.map { try $0.value("content_key") }
        }

        /// Returns whether a proof that is not old has its bytes in an object.
        private func isNeeded(_ key: String, since time: Int64) async throws -> Bool {
            let rows = try await client.read("SELECT 1 FROM proofs WHERE content_key = \(key) AND stored_time >= \(time) LIMIT 1")
            return !rows.isEmpty
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
