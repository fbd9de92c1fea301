import Foundation
import PostgreSQLClient
import Testing

/// Changes that depend on a read.
extension PostgreSQLClientTests {
    @Test func `A change after a read takes two round trips on one connection`() async throws {
        let client = try await makeClient()
        try await client.write("CREATE TABLE numbers (number bigint PRIMARY KEY)")
        let before = client.roundTripCount

        let (process, rows) = try await client.write(after: ["SELECT pg_backend_pid() AS process", "SELECT 2 AS number"]) { rows in
            let (process, number): (Int, Int) = (try rows[0][0].value("process"), try rows[1][0].value("number"))
            return (process, ["INSERT INTO numbers VALUES (\(number)) RETURNING number, pg_backend_pid() AS process"])
        }

        #expect(try rows[0][0].value("number") == 2)
        #expect(try rows[0][0].value("process") == process)
        #expect(client.roundTripCount == before + 2)
    }

    @Test func `A read without a change takes one round trip`() async throws {
        let client = try await makeClient()
        let before = client.roundTripCount

        let (count, rows) = try await client.write(after: ["SELECT 1"]) { ($0.count, []) }

        #expect(count == 1)
        #expect(rows.isEmpty)
        #expect(client.roundTripCount == before + 1)
    }

    @Test func `After an error of its decision nothing is changed, and the connection goes on`() async throws {
        let client = try await makeClient { $0.connectionLimit = 1 }
        let process: Int = try #require(try await client.read("SELECT pg_backend_pid() AS process").first?.value("process"))

        await #expect(throws: CocoaError.self) {
            _ = try await client.write(after: ["SELECT 1"]) { _ -> (Void, [PostgreSQLStatement]) in throw CocoaError(.coderInvalidValue) }
        }

        #expect(try await client.read("SELECT pg_backend_pid() AS process").first?.value("process") == process)
    }

    @Test func `A lost connection repeats the reads, and never the change`() async throws {
        let client = try await makeClient { $0.connectionLimit = 1 }
        // A sequence keeps its number when the transaction is lost.
        try await client.write(["CREATE SEQUENCE reads", "CREATE SEQUENCE changes"])
        let ending: PostgreSQLStatement = "SELECT CASE WHEN nextval('reads') = 1 THEN pg_terminate_backend(pg_backend_pid()) END"

        let error = await #expect(throws: PostgreSQLError.self) {
            try await client.write(after: [ending]) { _ in
                ((), ["SELECT nextval('changes')", "SELECT pg_terminate_backend(pg_backend_pid())"])
            }
        }

        if case .outcomeUnknown = error {} else { Issue.record("\(String(describing: error))") }
        let counts = try await client.read("SELECT (SELECT last_value FROM reads) AS reads, (SELECT last_value FROM changes) AS changes")
        #expect(try counts[0].value("reads") == 2)
        #expect(try counts[0].value("changes") == 1)
    }
}
