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

        package func incompleteProofs(ofOrder order: Int, by person: PersonID) async throws -> Set<ProofDigest> {
            let rows = try await client.read(
                "SELECT DISTINCT digest FROM proof_parts WHERE order_id = \(order) AND person = \(person.rawValue)", for: .command)
            return Set(try rows.compactMap { ProofDigest(rawValue: try $0.value("digest")) })
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
                let rows = try await client.write(
                    """
                    INSERT INTO proof_parts (order_id, person, digest, start, content, milliseconds)
                    SELECT \(proof.order), \(proof.person.rawValue), \(proof.digest.rawValue), \(offset), \(bytes)::bytea,
                        \(milliseconds(now))
                    WHERE (\(stored)) = \(offset)
                    """)
                if rows.changedCount > 0 { return }
            } catch PostgreSQLError.refused(let rejection) where rejection.constraint == "proof_parts_pkey" {
                // Another request has appended a part here meanwhile.
            }
            throw OrderStoreError.offsetMismatch(expected: try await client.read(stored, for: .command).first?.value("stored") ?? 0)
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
            // First the bytes: a record without them would be a proof that cannot be shown.
            try await contents?.store(proof.content, as: record.contentKey, mediaType: record.mediaType)
            let content = contents == nil ? proof.content : nil
            let key = contents == nil ? nil : record.contentKey
            try await client.write([
                """
                INSERT INTO proofs (order_id, person, digest, kind, media_type, length, content_digest, stored_time, content, content_key)
                VALUES (\(record.id.order), \(record.id.person.rawValue), \(record.id.digest.rawValue), \(record.kind.rawValue),
                    \(record.mediaType), \(record.length), \(record.contentDigest.rawValue), \(milliseconds(record.storedTime)),
                    \(content), \(key))
                ON CONFLICT DO NOTHING
                """,
                Self.confirmation(of: record.id), "DELETE FROM proof_parts WHERE \(record.id.condition)",
            ])
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
            guard let row = rows.first, let expected: String = try row.optional("pin") else { return .unused }
            guard try row.value("is_held") else { return .notHolder }
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

        /// The key of the bytes in a store apart from the database.
        fileprivate var contentKey: String { "proofs/\(id.order)/\(contentDigest.rawValue)" }

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
