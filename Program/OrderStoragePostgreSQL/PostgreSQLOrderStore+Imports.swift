#if PostgreSQL
    package import OrderLifecycle
    package import OrderStorage
    import PostgreSQLClient

    extension PostgreSQLOrderStore: OrderImportStore {
        package func stage(_ orders: [StagedOrder], inImport id: String, at now: Timestamp) async throws {
            let rows = try orders.map { order -> PostgreSQLStatement in
                "(\(id), \(order.externalID), \(try JSONColumn.encode(order.content)))"
            }
            let record: PostgreSQLStatement = """
                INSERT INTO imports (id, milliseconds) VALUES (\(id), \(now.milliseconds))
                ON CONFLICT (id) DO UPDATE SET milliseconds = excluded.milliseconds
                """
            let staging: PostgreSQLStatement =
                "INSERT INTO staged_orders (import_id, external_id, content) VALUES \(rows, separator: ", ")"
            try await client.write(rows.isEmpty ? [record] : [record, staging])
        }

        package func acceptImport(_ id: String, count: Int, digest: String, by person: PersonID?, at now: Timestamp) async throws {
            let file = String(digest.prefix { $0 != " " })
            let isRepeated: PostgreSQLStatement =
                "EXISTS (SELECT 1 FROM imports WHERE digest IN (\(file)::text, \(digest)::text) AND is_accepted)"
            let areRowsSkipped: PostgreSQLStatement = """
                (NOT \(isRepeated) AND EXISTS (SELECT 1 FROM imports WHERE starts_with(digest, \("\(file) ")::text) AND is_accepted)
                    AND EXISTS (SELECT 1 FROM staged_orders WHERE import_id = \(id) AND external_id IS NULL))
                """
            let acceptance: PostgreSQLStatement = """
                INSERT INTO imports (id, digest, person, is_accepted, is_repeated, milliseconds)
                SELECT \(id), \(digest)::text, \(person?.rawValue)::text, true, \(isRepeated), \(now.milliseconds)
                WHERE (SELECT count(*) FROM staged_orders WHERE import_id = \(id)) = \(count) AND NOT \(areRowsSkipped)
                ON CONFLICT (id) DO UPDATE
                SET digest = excluded.digest, person = excluded.person, is_accepted = true, is_repeated = excluded.is_repeated
                """
            // One file after the other, each with a snapshot of its own, so that the same file is recognized, and an import that is being discarded too.
            let results = try await client.write([
                "SELECT pg_advisory_xact_lock(hashtextextended(\(file)::text, 0))", "SELECT 1 FROM imports WHERE id = \(id) FOR UPDATE",
                "SELECT \(areRowsSkipped) AS are_rows_skipped", acceptance,
            ])
            if try results[2].first?.value("are_rows_skipped") == true { throw OrderStoreError.rowsSkippedBefore }
            guard results[3].changedCount > 0 else { throw OrderStoreError.importDiscarded }
        }

        package func discardImport(_ id: String) async throws {
            try await client.write("DELETE FROM imports WHERE id = \(id) AND NOT is_accepted")
        }

        package func discardImports(before time: Timestamp) async throws {
            try await client.write("DELETE FROM imports WHERE NOT is_accepted AND milliseconds < \(time.milliseconds)")
        }

        package func unfinishedImports() async throws -> [String] {
            try await client.read("SELECT id FROM imports WHERE is_accepted AND NOT is_finished ORDER BY milliseconds")
                .map { try $0.value("id") }
        }

        /// Creates the next orders, unless another program has created them meanwhile.
        package func continueImport(_ id: String, limit: Int, at now: Timestamp) async throws -> ImportProgress {
            let now = try await time(now)
            while true {
                let batch = try await ImportBatch(id, limit: limit, client)
                guard batch.isAccepted, !batch.progress.isFinished else { return batch.progress }
                let planned = try batch.plan(in: self, at: now)
                do {
                    try await client.write(planned.statements)
                    hints.send()
                    return planned.progress
                } catch PostgreSQLError.refused(let rejection) where rejection.isConflict || rejection.state == .divisionByZero {
                    continue
                }
            }
        }
    }

    /// The next orders of an import, and what was read for their creation.
    private struct ImportBatch {
        let isAccepted: Bool
        let progress: ImportProgress
        private let id: String
        private let limit: Int
        private let person: String?
        private let isRepeated: Bool
        private let orders: [(number: Int, externalID: String?, content: OrderContent, existingID: Int?, newID: Int)]
        private let epoch: String
        private let fenceFloor: Int

        init(_ id: String, limit: Int, _ client: PostgreSQLClient) async throws {
            let imports = try await client.read(
                "SELECT created, existing, is_accepted, is_finished, person, is_repeated, epoch, fence_floor FROM imports, order_metadata WHERE imports.id = \(id)"
            )
            (self.id, self.limit) = (id, limit)
            guard let row = imports.first, try row.value("is_accepted") else {
                (isAccepted, progress) = (false, ImportProgress(created: 0, existing: 0, isFinished: true))
                (person, isRepeated, orders, epoch, fenceFloor) = (nil, false, [], "", 0)
                return
            }
            isAccepted = true
            progress = ImportProgress(
                created: try row.value("created"), existing: try row.value("existing"), isFinished: try row.value("is_finished"))
            (person, isRepeated) = (try row.optional("person"), try row.value("is_repeated"))
            (epoch, fenceFloor) = (try row.value("epoch"), try row.value("fence_floor"))
            let staged = try await client.read(
                """
                SELECT number, staged.external_id, content, orders.id AS existing_id, nextval(pg_get_serial_sequence('orders', 'id')) AS new_id
                FROM (SELECT * FROM staged_orders WHERE import_id = \(id) ORDER BY number LIMIT \(limit)) AS staged
                    LEFT JOIN orders ON orders.external_id = staged.external_id
                ORDER BY number
                """)
            orders = try staged.map {
                (
                    try $0.value("number"), try $0.optional("external_id"), try JSONColumn.decode($0.value("content")),
                    try $0.optional("existing_id"), try $0.value("new_id")
                )
            }
        }

        /// Returns the statements that create the orders, under the condition that no other program has done so.
        func plan(in store: PostgreSQLOrderStore, at now: Timestamp) throws -> (statements: [PostgreSQLStatement], progress: ImportProgress)
        {
            var (created, existing, creations) = (progress.created, progress.existing, [PostgreSQLStatement]())
            // As the database compares them: by bytes.
            var externalIDs: Set<[UInt8]> = []
            let sender = OrderLifecycle.Sender(person.map(PersonID.init(rawValue:)), role: .dispatcher, actionTime: now)
            for order in orders {
                // Orders of one file may have the same identifier.
                let isDuplicate =
                    order.externalID.map { order.existingID != nil || !externalIDs.insert(Array($0.utf8)).inserted } ?? isRepeated
                if isDuplicate {
                    existing += 1
                    continue
                }
                created += 1
                let change = OrderStoreCommand.Change.create(order.content, externalID: order.externalID)
                let command = OrderStoreCommand(change, from: sender, key: "", fingerprint: "")
                let evaluated = try EvaluatedCommand.evaluation(of: command, on: reading(of: order.newID, store.limits, at: now), at: now)
                if let creation = evaluated.statement { creations.append(creation) }
            }
            let result = ImportProgress(created: created, existing: existing, isFinished: orders.count < limit)
            return ([update(to: result)] + creations + deletion, result)
        }

        private func reading(of id: Int, _ limits: LifecycleLimits, at now: Timestamp) -> CommandReading {
            var lifecycle = OrderLifecycle(limits: limits)
            lifecycle.beginEpoch(at: Fence(rawValue: fenceFloor))
            return CommandReading(
                verdict: nil, order: StoredOrder(id: id, lifecycle: lifecycle), revision: 0, epoch: epoch,
                time: now, orderWithExternalID: nil)
        }

        /// Divides by the number of imports that it finds: without one the division fails, and with it the transaction.
        private func update(to result: ImportProgress) -> PostgreSQLStatement {
            """
            WITH present AS (SELECT 1 FROM order_metadata WHERE epoch = \(epoch) FOR SHARE), written AS (
                UPDATE imports SET created = \(result.created), existing = \(result.existing), is_finished = \(result.isFinished)
                WHERE id = \(id) AND created = \(progress.created) AND existing = \(progress.existing) AND NOT is_finished
                    AND EXISTS (SELECT 1 FROM present) RETURNING 1)
            SELECT 1 / count(*) FROM written
            """
        }

        private var deletion: [PostgreSQLStatement] {
            orders.last.map { ["DELETE FROM staged_orders WHERE import_id = \(id) AND number <= \($0.number)"] } ?? []
        }
    }
#endif
