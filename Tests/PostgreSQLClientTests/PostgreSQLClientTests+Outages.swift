import Foundation
import PostgreSQLClient
import PostgreSQLFixtures
import ScriptedServers
import Testing

/// Servers and networks that do not answer.
extension PostgreSQLClientTests {
    @Test(.timeLimit(.minutes(10))) func `Commits that wait for a standby never use more connections than the pool has`() async throws {
        let server = try await PostgreSQLServer()
        var configuration = try PostgreSQLConfiguration(try await server.makeDatabase())
        let observer = PostgreSQLClient(configuration)
        (configuration.connectionLimit, configuration.acquisitionLimit) = (1, .milliseconds(200))
        configuration.statementLimit = .milliseconds(500)
        let client = PostgreSQLClient(configuration)
        try await client.write("CREATE TABLE numbers (number bigint)")
        try await observer.write("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        _ = try await observer.read("SELECT pg_reload_conf()")

        // The first commits may not wait, because the server has not read the setting.
        var errors: [PostgreSQLError] = []
        while errors.count < 3 {
            do { try await client.write("INSERT INTO numbers VALUES (1)") } catch let error as PostgreSQLError { errors.append(error) }
        }

        if case .outcomeUnknown = errors[0] {} else { Issue.record("\(errors[0])") }
        #expect(errors[1...] == [.poolExhausted, .poolExhausted])
        let commits = try await observer.read("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        #expect(commits.count == 1)

        try await observer.write("ALTER SYSTEM RESET synchronous_standby_names")
        _ = try await observer.read("SELECT pg_reload_conf()")
        while true {
            do {
                try await client.write("INSERT INTO numbers VALUES (2)")
                break
            } catch PostgreSQLError.poolExhausted {}
        }
        #expect(try await client.read("SELECT number FROM numbers WHERE number = 2").count == 1)
        await client.shutDown()
        await observer.shutDown()
        await server.stop()
    }

    @Test(.timeLimit(.minutes(10))) func `An unanswered cancellation ends, and the next read has another connection`() async throws {
        let address = try await PostgreSQLServer.makeDatabase()
        let direct = try PostgreSQLConfiguration(address)
        let port = try #require(URLComponents(string: address)?.port)
        let relay = try StallingRelay(to: port)
        defer { relay.stop() }
        var configuration = try PostgreSQLConfiguration(address.replacing(":\(port)/", with: ":\(relay.port)/"))
        configuration.connectionLimit = 1
        let client = PostgreSQLClient(configuration)
        let reading = Task { try await client.read("SELECT pg_sleep(3)") }
        while try await Self.runningStatements(direct) == 0 {}

        reading.cancel()

        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(try await client.read("SELECT 1 AS one").count == 1)
        await client.shutDown()
    }
}
