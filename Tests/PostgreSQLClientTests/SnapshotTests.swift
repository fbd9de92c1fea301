import PostgreSQLClient
import PostgreSQLFixtures
import Testing

@Suite("Snapshots of PostgreSQL")
struct SnapshotTests {
    private func makeClient(_ change: (inout PostgreSQLConfiguration) -> Void = { _ in }) async throws -> PostgreSQLClient {
        var configuration = try PostgreSQLConfiguration(try await PostgreSQLServer.makeDatabase())
        change(&configuration)
        return PostgreSQLClient(configuration)
    }

    @Test func `A snapshot shows the rows of one moment`() async throws {
        let client = try await makeClient()
        try await client.write(["CREATE TABLE numbers (number bigint)", "INSERT INTO numbers VALUES (1)"])

        let counts = try await client.withSnapshot { snapshot in
            let before = try await snapshot.read("SELECT number FROM numbers").count
            try await client.write("INSERT INTO numbers VALUES (2)")
            return [before, try await snapshot.read("SELECT number FROM numbers").count]
        }

        #expect(counts == [1, 1])
        #expect(try await client.read("SELECT number FROM numbers").count == 2)
    }

    @Test(arguments: [1, 2, 3, 6, 7, 100])
    func `A cursor returns all rows in their order`(_ batchSize: Int) async throws {
        let client = try await makeClient()

        let numbers = try await client.withSnapshot { snapshot in
            var cursor = try await snapshot.cursor("SELECT number FROM generate_series(1, 6) AS number", batchSize: batchSize)
            var numbers: [Int] = []
            while let row = try await cursor.next() { numbers.append(try row.value("number")) }
            #expect(try await cursor.next() == nil)
            return numbers
        }

        #expect(numbers == [1, 2, 3, 4, 5, 6])
    }

    @Test func `Two cursors of one snapshot are read side by side, with values of the program`() async throws {
        let client = try await makeClient()

        let pairs = try await client.withSnapshot { snapshot in
            var first = try await snapshot.cursor("SELECT n FROM generate_series(1, \(4)::bigint) AS n", batchSize: 2)
            var second = try await snapshot.cursor("SELECT n * n AS n FROM generate_series(1, 4) AS n", batchSize: 3)
            var pairs: [[Int]] = []
            while let left = try await first.next(), let right = try await second.next() {
                pairs.append([try left.value("n"), try right.value("n")])
            }
            return pairs
        }

        #expect(pairs == [[1, 1], [2, 4], [3, 9], [4, 16]])
    }

    @Test func `A snapshot changes nothing`() async throws {
        let client = try await makeClient()
        try await client.write("CREATE TABLE numbers (number bigint)")

        await #expect(throws: PostgreSQLError.self) {
            try await client.withSnapshot { _ = try await $0.read("INSERT INTO numbers VALUES (1)") }
        }

        #expect(try await client.read("SELECT number FROM numbers").isEmpty)
    }

    @Test func `A statement of a snapshot may take longer than others`() async throws {
        let client = try await makeClient { $0.statementLimit = .milliseconds(100) }

        let count = try await client.withSnapshot { try await $0.read("SELECT pg_sleep(0.3)").count }

        #expect(count == 1)
    }

    @Test func `A snapshot whose connection was lost does not go on with another connection`() async throws {
        let client = try await makeClient()

        try await client.withSnapshot { snapshot in
            let id: Int = try #require(try await snapshot.read("SELECT pg_backend_pid() AS id").first).value("id")
            try await client.write("SELECT pg_terminate_backend(\(id)::int)")

            await #expect(throws: PostgreSQLError.self) { try await snapshot.read("SELECT 1") }
            await #expect(throws: PostgreSQLError.interrupted("the transaction has ended")) { try await snapshot.read("SELECT 1") }
        }
    }

    @Test func `A cancelled task cancels the statement of its snapshot`() async throws {
        let client = try await makeClient()
        let sleeping: PostgreSQLStatement = """
            SELECT count(*) AS count FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%pg_sleep%'
            """
        let slow = Task { try await client.withSnapshot { try await $0.read("SELECT pg_sleep(60)").count } }
        while try await client.read(sleeping).first?.value("count") == 0 {}

        slow.cancel()

        await #expect(throws: CancellationError.self) { try await slow.value }
        #expect(try await client.read(sleeping).first?.value("count") == 0)
    }
}
