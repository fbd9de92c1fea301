#if PostgreSQL
    import Digests
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient

    /// A comparison of proofs with their digests and sizes.
    ///
    /// The database computes the digests of the bytes that it has; those of an object store are read, a batch at a time.
    struct ProofVerification {
        /// The number of proofs that are read at once.
        private static let batchSize = 16

        private let snapshot: PostgreSQLSnapshot
        private let contents: (any ProofContentStore)?
        private let progress: PostgreSQLOrderVerification.Progress

        init(
            _ snapshot: PostgreSQLSnapshot, _ contents: (any ProofContentStore)?, _ progress: @escaping PostgreSQLOrderVerification.Progress
        ) {
            (self.snapshot, self.contents, self.progress) = (snapshot, contents, progress)
        }

        func report() async throws -> PostgreSQLOrderVerification.Report {
            var (list, completed, unverifiedCount) = (ProblemList(), 0, 0)
            let total = try await snapshot.count(of: "proofs")
            var proofs = try await snapshot.cursor(
                """
                SELECT \(sql: ProofRecord.columns), content_key,
                    encode(sha256(content), 'hex') = content_digest AND length(content) = length AS is_intact,
                    EXISTS (SELECT 1 FROM orders WHERE orders.id = proofs.order_id) AS has_order
                FROM proofs ORDER BY order_id, person, digest
                """, batchSize: Self.batchSize)
            while !list.isFull {
                let rows = try await proofs.nextBatch()
                guard !rows.isEmpty else { break }
                let batch = try rows.map { try StoredProof($0) }
                for proof in batch { proof.problem.map { list.add("order \(proof.order): \($0)") } }
                for problem in try await problems(ofObjectsOf: batch) { list.add(problem) }
                if contents == nil { unverifiedCount += batch.count { $0.key != nil } }
                completed += batch.count
                progress(completed, total)
            }
            for problem in try await problemsOfParts() { list.add(problem) }
            return PostgreSQLOrderVerification.Report(problems: list.problems, unverifiedCount: unverifiedCount)
        }

        // MARK: - Objects

        /// Returns the problems of the proofs whose bytes are in the object store, which are read beside each other.
        private func problems(ofObjectsOf batch: [StoredProof]) async throws -> [String] {
            guard let contents else { return [] }
            return try await withThrowingTaskGroup(of: (Int, String?).self) { group in
                for (index, proof) in batch.enumerated() {
                    guard let key = proof.key, let record = proof.record else { continue }
                    group.addTask { (index, try await record.problem(ofObject: key, in: contents)) }
                }
                let problems = try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                return batch.indices.compactMap { index in problems[index].map { "order \(batch[index].order): \($0)" } }
            }
        }

        // MARK: - Incomplete uploads

        /// Returns the problems of incomplete proofs. Parts that arrived after their proof was stored do not count.
        private func problemsOfParts() async throws -> [String] {
            let rows = try await snapshot.read(
                """
                SELECT DISTINCT order_id, digest FROM (
                    SELECT order_id, person, digest, start, COALESCE(SUM(length(content)) OVER (
                        PARTITION BY order_id, person, digest ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS expected
                    FROM proof_parts) AS parts
                WHERE start <> expected AND NOT EXISTS (
                    SELECT 1 FROM proofs
                    WHERE proofs.order_id = parts.order_id AND proofs.person = parts.person AND proofs.digest = parts.digest)
                ORDER BY order_id, digest LIMIT \(ProblemList.limit)
                """)
            return try rows.map {
                let digest: String = try $0.value("digest")
                return "order \(try $0.value("order_id", as: Int.self)): the parts of the incomplete proof \(digest.prefix(12))… have a gap"
            }
        }
    }

    /// A proof as it is stored.
    private struct StoredProof: Sendable {
        let order: Int
        /// Nil if it cannot be read.
        let record: ProofRecord?
        /// The key of the bytes in an object store; nil if they are in the database or deleted.
        let key: String?
        /// The problem of the row.
        let problem: String?

        init(_ row: PostgreSQLRow) throws {
            order = try row.value("order_id")
            key = try row.optional("content_key")
            record = try? ProofRecord(row)
            let isIntact: Bool? = try row.optional("is_intact")
            guard let record else {
                problem = "a proof cannot be read"
                return
            }
            if try !row.value("has_order") {
                problem = "the proof \(record.name) belongs to no order"
            } else {
                problem = isIntact == false ? "the proof \(record.name) does not have its digest" : nil
            }
        }
    }

    extension ProofRecord {
        /// The beginning of the digest.
        fileprivate var name: String { "\(id.digest.rawValue.prefix(12))…" }

        /// Returns the difference of an object from the proof; nil if there is none.
        fileprivate func problem(ofObject key: String, in contents: any ProofContentStore) async throws -> String? {
            let content: [UInt8]?
            do {
                // A longer object is read too, so that its size is named; the store limits it.
                content = try await contents.content(of: key, limit: .max)
            } catch let error as any UnavailableStoreError where !error.isUnavailable && !error.isDiskFull {
                return "the proof \(name) cannot be read: \(error)"
            }
            guard let content else { return "the proof \(name) is not in the object store" }
            guard content.count == length else {
                return "the proof \(name) has \(content.count) bytes in the object store in place of \(length)"
            }
            return SHA256.hash(data: content).hexString == contentDigest.rawValue ? nil : "the proof \(name) does not have its digest"
        }
    }
#endif
