#if PostgreSQL
    package import OrderLifecycle
    package import OrderStorage
    import PostgreSQLClient

    extension PostgreSQLOrderStore {
        package func upload(of proof: ProofID) async throws -> ProofUpload {
            let rows = try await client.read(
                """
                SELECT (SELECT length FROM proofs WHERE \(proof.condition)) AS length,
                    (SELECT COALESCE(SUM(length(content)), 0) FROM proof_parts WHERE \(proof.condition)) AS stored
                """, for: .command)
            guard let row = rows.first else { throw PostgreSQLError.unexpectedValue(column: "length") }
            if let length: Int = try row.optional("length") {
                try await confirm(proof)
                return ProofUpload(offset: length, isComplete: true)
            }
            return ProofUpload(offset: try row.value("stored"), isComplete: false)
        }

        package func append(_ bytes: [UInt8], at offset: Int, to proof: ProofID, at now: Timestamp) async throws {
            let stored: PostgreSQLStatement =
                "SELECT COALESCE(SUM(length(content)), 0) AS stored FROM proof_parts WHERE \(proof.condition)"
            do {
                if bytes.isEmpty {
                    let expected: Int? = try await client.read(stored, for: .command).first?.value("stored")
                    guard expected == offset else { throw OrderStoreError.offsetMismatch(expected: expected ?? 0) }
                    return
                }
                let insertion: PostgreSQLStatement = """
                    INSERT INTO proof_parts (order_id, person, digest, start, content, milliseconds)
                    SELECT \(proof.order), \(proof.person.rawValue), \(proof.digest.rawValue), \(offset), \(bytes)::bytea,
                        \(milliseconds(now))
                    WHERE (\(stored)) = \(offset)
                    """
                let first: PostgreSQLStatement = "\(insertion) AND \(Self.isWithinLimit(in: "proof_parts", beside: proof))"
                let rows = try await client.write(offset == 0 ? [Self.lock(of: proof), first] : [insertion])
                if let count = rows.last?.changedCount, count > 0 { return }
            } catch PostgreSQLError.refused(let rejection) where rejection.constraint == "proof_parts_pkey" {
                // Another request has appended a part here meanwhile.
            }
            let expected: Int = try await client.read(stored, for: .command).first?.value("stored") ?? 0
            throw expected == offset ? OrderStoreError.tooManyIncompleteProofs : .offsetMismatch(expected: expected)
        }

        /// Delays other proofs of the person for the order until the end of the transaction, so that both are counted.
        private static func lock(of proof: ProofID) -> PostgreSQLStatement {
            let key = "proofs \(proof.order) \(proof.person.rawValue)"
            return "SELECT pg_advisory_xact_lock(hashtextextended(\(key), 0))"
        }

        /// The condition that a table has fewer than the allowed number of other proofs of the person for the order.
        private static func isWithinLimit(in table: String, beside proof: ProofID) -> PostgreSQLStatement {
            """
            (SELECT count(DISTINCT digest) FROM \(sql: table)
                WHERE order_id = \(proof.order) AND person = \(proof.person.rawValue) AND digest <> \(proof.digest.rawValue))
                < \(ProofID.limitPerOrder)
            """
        }

        package func appendedBytes(of proof: ProofID) async throws -> [UInt8] {
            let rows = try await client.read("SELECT content FROM proof_parts WHERE \(proof.condition) ORDER BY start", for: .command)
            return try rows.flatMap { try $0.value("content", as: [UInt8].self) }
        }

        package func discardUpload(of proof: ProofID) async throws {
            try await client.write("DELETE FROM proof_parts WHERE \(proof.condition)")
        }

        package func addProof(_ proof: Proof) async throws {
            let record = proof.record
            let key = try await storeContent(of: proof)
            let content = key == nil ? proof.content : nil
            let rows = try await client.write([
                Self.lock(of: record.id),
                """
                INSERT INTO proofs (order_id, person, digest, kind, media_type, length, content_digest, stored_time, content, content_key)
                SELECT \(record.id.order), \(record.id.person.rawValue), \(record.id.digest.rawValue), \(record.kind.rawValue),
                    \(record.mediaType), \(record.length), \(record.contentDigest.rawValue), \(milliseconds(record.storedTime)),
                    \(content), \(key)
                WHERE \(Self.isWithinLimit(in: "proofs", beside: record.id))
                ON CONFLICT DO NOTHING
                """,
                Self.confirmation(of: record.id),
                """
                DELETE FROM proof_parts WHERE \(record.id.condition) AND EXISTS (SELECT 1 FROM proofs WHERE \(record.id.condition))
                """,
                """
                DELETE FROM pending_proof_contents WHERE content_key = \(key)
                    AND EXISTS (SELECT 1 FROM proofs WHERE \(record.id.condition) AND content_key = \(key))
                """,
            ])
            guard rows[2].changedCount > 0 else { throw OrderStoreError.tooManyProofs }
        }

        /// Stores the bytes of a proof apart from the database.
        ///
        /// `prune` deletes the bytes if no record refers to them in the end, for instance because the program is killed.
        ///
        /// - Returns: The key; nil if the bytes are for the database.
        private func storeContent(of proof: Proof) async throws -> String? {
            guard let contents else { return nil }
            let (record, key) = (proof.record, proof.record.makeContentKey())
            try await client.write(
                """
                INSERT INTO pending_proof_contents (content_key, milliseconds) VALUES (\(key), \(milliseconds(record.storedTime)))
                """)
            // Before the record: one without bytes would be a proof that cannot be shown.
            try await contents.store(proof.content, as: key, mediaType: record.mediaType)
            return key
        }

        /// Waits until a proof that was found is replicated as a commit is.
        private func confirm(_ proof: ProofID) async throws { try await client.write(Self.confirmation(of: proof)) }

        private static func confirmation(of proof: ProofID) -> PostgreSQLStatement {
            "UPDATE proofs SET length = length WHERE \(proof.condition)"
        }

        package func proof(_ id: ProofID) async throws -> Proof? {
            let rows = try await client.read("SELECT \(sql: ProofRecord.columns), content, content_key FROM proofs WHERE \(id.condition)")
            guard let row = rows.first else { return nil }
            let record = try ProofRecord(row)
            guard let key: String = try row.optional("content_key") else {
                return Proof(record: record, content: try row.optional("content") ?? [])
            }
            guard let contents else { throw ProofContentError.noStore }
            guard let content = try await contents.content(of: key, limit: record.length) else { throw ProofContentError.missing }
            // A faulty store, or somebody who can write to it, must not replace what was proved.
            guard record.matches(content) else { throw ProofContentError.damaged }
            return Proof(record: record, content: content)
        }

        package func proofs(ofOrder order: Int) async throws -> [ProofRecord] {
            try await client.read(Self.proofRecords(ofOrder: order)).map { try ProofRecord($0) }
        }

        static func proofRecords(ofOrder order: Int) -> PostgreSQLStatement {
            """
            SELECT \(sql: ProofRecord.columns) FROM proofs WHERE order_id = \(order) ORDER BY stored_time, digest
            """
        }

        package func checkPIN(_ pin: String, ofOrder order: Int, by person: PersonID, attempts: Int) async throws -> PINCheck {
            let rows = try await client.write(
                """
                WITH locked AS (
                        SELECT id, pin, wrong_pins,
                            COALESCE(holder = \(person.rawValue), false) AND state IN \(sql: BoardStatement.heldStates) AS is_held
                        FROM orders WHERE id = \(order) FOR UPDATE),
                    counted AS (
                        UPDATE orders SET wrong_pins = orders.wrong_pins + 1 FROM locked
                        WHERE orders.id = locked.id AND locked.is_held AND locked.pin <> \(pin) AND locked.wrong_pins < \(attempts))
                SELECT pin, wrong_pins, is_held FROM locked
                """)
            guard let row = rows.first else { return .unused }
            guard try row.value("is_held") else { return .notHolder }
            guard let expected: String = try row.optional("pin") else { return .unused }
            let wrongCount: Int = try row.value("wrong_pins")
            guard wrongCount < attempts else { return .locked }
            guard pin != expected else { return .right }
            return wrongCount + 1 < attempts ? .wrong(attemptsLeft: attempts - wrongCount - 1) : .locked
        }
    }

    extension ProofID {
        fileprivate var condition: PostgreSQLStatement {
            "order_id = \(order) AND person = \(person.rawValue) AND digest = \(digest.rawValue)"
        }
    }

    extension ProofRecord {
        static let columns = """
            order_id, person, digest, kind, media_type, length, content_digest, stored_time,
                content IS NULL AND content_key IS NULL AS is_deleted
            """

        /// Makes the key of the bytes in a store apart from the database. Proofs of equal bytes have different keys, so that the deletion of one does not
        /// affect another.
        fileprivate func makeContentKey() -> String {
            "proofs/\(id.order)/\(contentDigest.rawValue)-\(String(UInt64.random(in: .min ... .max), radix: 16))"
        }

        init(_ row: PostgreSQLRow) throws {
            guard let digest = ProofDigest(rawValue: try row.value("digest")),
                let content = ProofDigest(rawValue: try row.value("content_digest")), let kind = ProofKind(rawValue: try row.value("kind"))
            else { throw PostgreSQLError.unexpectedValue(column: "digest") }
            self.init(
                id: ProofID(order: try row.value("order_id"), person: PersonID(rawValue: try row.value("person")), digest: digest),
                kind: kind,
                mediaType: try row.value("media_type"), length: try row.value("length"), contentDigest: content,
                storedTime: Timestamp(milliseconds: try row.value("stored_time")), isDeleted: try row.value("is_deleted"))
        }
    }
#endif
