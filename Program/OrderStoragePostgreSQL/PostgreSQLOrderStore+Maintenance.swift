#if PostgreSQL
    package import OrderLifecycle
    package import OrderStorage
    import PostgreSQLClient

    extension PostgreSQLOrderStore {
        /// The maximum number of rows in one transaction: a longer one would delay the change feed.
        private static let pruneBatch = 5_000
        /// The number of objects that are deleted before their keys are.
        private static let contentBatch = 100

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
            try await deleteContents(before: start(retention.proofs))
            try await client.write("UPDATE people SET name = NULL WHERE revocation_time < \(start(retention.people)) AND name IS NOT NULL")
        }

        /// Deletes the bytes of old proofs in the store that is apart from the database. An object is deleted before its key is.
        private func deleteContents(before time: Int64) async throws {
            guard let contents else { return }
            while true {
                let rows = try await client.read(
                    """
                    SELECT DISTINCT content_key FROM proofs WHERE content_key IS NOT NULL AND stored_time < \(time)
                        AND NOT EXISTS (
                            SELECT 1 FROM proofs AS other WHERE other.content_key = proofs.content_key AND other.stored_time >= \(time))
                    LIMIT \(Self.contentBatch)
                    """)
                let keys = try rows.map { try $0.value("content_key", as: String.self) }
                guard !keys.isEmpty else { return }
                for key in keys { try await contents.delete(key) }
                try await client.write("UPDATE proofs SET content_key = NULL WHERE content_key = ANY (\(array: keys)::text[])")
            }
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
