#if PostgreSQL
    extension PostgreSQLClient {
        /// Runs work on the rows of one moment, which it reads in several round trips on a connection of its own.
        ///
        /// The server keeps rows that are deleted or replaced meanwhile until the work ends.
        ///
        /// - Throws: `PostgreSQLError`, `CancellationError`, the errors of the work.
        package func withSnapshot<Value: Sendable>(_ work: (PostgreSQLSnapshot) async throws -> Value) async throws -> Value {
            let connection = PooledConnection(configuration, number: 0)
            do {
                _ = try await connection.execute(PostgreSQLSnapshot.beginning, effect: .read)
                let value = try await work(PostgreSQLSnapshot(connection: connection))
                await connection.close()
                return value
            } catch {
                await connection.close()
                throw error
            }
        }
    }

    /// A transaction that reads the rows of one moment and changes nothing. After an error it is over.
    package struct PostgreSQLSnapshot: Sendable {
        fileprivate static let beginning: [PostgreSQLStatement] = [
            "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", "SET LOCAL statement_timeout = 0",
            "SET LOCAL idle_in_transaction_session_timeout = 0",
        ]

        fileprivate let connection: PooledConnection

        /// Returns the rows of a statement, which may take as long as it needs.
        ///
        /// - Throws: `PostgreSQLError`, `CancellationError`.
        package func read(_ statement: PostgreSQLStatement) async throws -> PostgreSQLRows {
            do {
                let rows = try await connection.execute(
                    [statement], effect: .read, limit: PostgreSQLClient.longestLimit, continuesTransaction: true)
                return rows[0]
            } catch PostgreSQLError.refused(let rejection) where rejection.state == .queryCanceled {
                try Task.checkCancellation()
                throw PostgreSQLError.refused(rejection)
            }
        }

        /// Returns the rows of a query in batches, of which one is in memory.
        ///
        /// - Parameter batchSize: The number of rows of a batch.
        /// - Throws: `PostgreSQLError`, `CancellationError`.
        package func cursor(_ query: PostgreSQLStatement, batchSize: Int) async throws -> PostgreSQLCursor {
            let name = "lading_\(UInt64.random(in: 0...(.max)))"
            _ = try await read("DECLARE \(sql: name) NO SCROLL CURSOR FOR \(query)")
            return PostgreSQLCursor(self, fetch: PostgreSQLStatement(sql: "FETCH FORWARD \(batchSize) FROM \(name)"))
        }
    }

    /// The rows of a query, which are fetched in batches.
    package struct PostgreSQLCursor: Sendable {
        private let snapshot: PostgreSQLSnapshot
        private let fetch: PostgreSQLStatement
        private var batch: PostgreSQLRows?
        /// The index of the next row in the batch.
        private var index = 0

        fileprivate init(_ snapshot: PostgreSQLSnapshot, fetch: PostgreSQLStatement) {
            (self.snapshot, self.fetch) = (snapshot, fetch)
        }

        /// Returns the next row; nil after the last one.
        ///
        /// - Throws: `PostgreSQLError`, `CancellationError`.
        package mutating func next() async throws -> PostgreSQLRow? {
            if let batch, index < batch.count {
                index += 1
                return batch[index - 1]
            }
            if let batch, batch.isEmpty { return nil }
            let rows = try await nextBatch()
            index = 1
            return rows.first
        }

        /// Returns the next rows, instead of single ones; empty after the last one.
        ///
        /// - Throws: `PostgreSQLError`, `CancellationError`.
        package mutating func nextBatch() async throws -> PostgreSQLRows {
            let rows = try await snapshot.read(fetch)
            batch = rows
            return rows
        }
    }
#endif
