#if PostgreSQL
    import OrderStorage
    import PostgreSQLClient

    /// A search for verdicts that cannot be read or refer to orders that do not exist.
    struct VerdictVerification {
        /// The number of rows that are read at once.
        private static let batchSize = 1_000

        private let snapshot: PostgreSQLSnapshot
        private let progress: PostgreSQLOrderVerification.Progress

        init(_ snapshot: PostgreSQLSnapshot, _ progress: @escaping PostgreSQLOrderVerification.Progress) {
            self.snapshot = snapshot
            self.progress = progress
        }

        /// Returns the problems as text for users.
        func problems() async throws -> [String] {
            var (list, completed) = (ProblemList(), 0)
            let total = try await snapshot.count(of: "verdicts")
            var verdicts = try await snapshot.cursor("SELECT key, verdict FROM verdicts", batchSize: Self.batchSize)
            while !list.isFull {
                let batch = try await verdicts.nextBatch()
                guard !batch.isEmpty else { break }
                var orders: Set<Int> = []
                for row in batch {
                    if let verdict = Self.verdict(in: row) {
                        orders.formUnion(verdict.orders)
                    } else {
                        list.add("the verdict of the key \(try row.value("key", as: String.self)) cannot be read")
                    }
                }
                for id in try await snapshot.missingOrders(of: orders) { list.add("a verdict refers to order \(id), which does not exist") }
                completed += batch.count
                progress(completed, total)
            }
            return list.problems
        }

        private static func verdict(in row: PostgreSQLRow) -> StoredVerdict? { try? JSONColumn.decode(row.value("verdict")) }
    }

    extension StoredVerdict {
        /// The orders to which the verdict refers.
        fileprivate var orders: [Int] {
            if case .externalIDTaken(let other) = outcome { return [other] }
            return order.map { [$0] } ?? []
        }
    }
#endif
