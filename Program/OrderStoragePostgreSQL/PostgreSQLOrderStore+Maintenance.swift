#if PostgreSQL
    package import OrderLifecycle
    package import OrderStorage
    import PostgreSQLClient

    extension PostgreSQLOrderStore {
        /// Deletes what is no longer kept. Programs that do so at once share the work: each skips the rows that another one has locked.
        package func prune(_ retention: OrderRetention, at now: Timestamp) async throws {
            func start(_ duration: Duration) -> Int64 { (now + (.zero - duration)).milliseconds }
            try await pruneChanges(before: start(retention.changes))
            try await client.write([
                "DELETE FROM verdicts WHERE ctid = ANY (ARRAY(SELECT ctid FROM verdicts WHERE milliseconds < \(start(retention.verdicts)) FOR UPDATE SKIP LOCKED))",
                "DELETE FROM courier_positions WHERE ctid = ANY (ARRAY(SELECT ctid FROM courier_positions WHERE milliseconds < \(start(retention.positions)) FOR UPDATE SKIP LOCKED))",
                "UPDATE proofs SET content = NULL WHERE ctid = ANY (ARRAY(SELECT ctid FROM proofs WHERE content IS NOT NULL AND stored_time < \(start(retention.proofs)) FOR UPDATE SKIP LOCKED))",
                "DELETE FROM proof_parts WHERE ctid = ANY (ARRAY(SELECT ctid FROM proof_parts WHERE milliseconds < \(start(retention.incompleteProofs)) FOR UPDATE SKIP LOCKED))",
                "UPDATE people SET name = NULL WHERE revocation_time < \(start(retention.people)) AND name IS NOT NULL",
                "DELETE FROM tokens WHERE expiry <= \(now.milliseconds)",
                "DELETE FROM sign_in_links WHERE expiry <= \(now.milliseconds)",
            ])
        }

        /// Deletes old changes from the beginning of the feed, and stores where it begins now: a reader that is not beyond that place reads everything again.
        private func pruneChanges(before time: Int64) async throws {
            let last: PostgreSQLStatement = """
                SELECT transaction, part FROM order_changes WHERE milliseconds < \(time) AND transaction < pg_snapshot_xmin(pg_current_snapshot())
                ORDER BY transaction DESC, part DESC LIMIT 1
                """
            try await client.write([
                """
                UPDATE order_metadata SET pruned_transaction = last.transaction, pruned_part = last.part FROM (\(last)) AS last
                WHERE (last.transaction, last.part) > (pruned_transaction, pruned_part)
                """,
                """
                DELETE FROM order_changes USING order_metadata
                WHERE (order_changes.transaction, order_changes.part) <= (pruned_transaction, pruned_part)
                """,
            ])
        }
    }
#endif
