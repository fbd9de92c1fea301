import OrderLifecycle
import OrderStorage
@testable import OrderStoragePostgreSQL
import PostgreSQLClient
import PostgreSQLFixtures
import Testing

/// Commits that wait for a synchronous standby.
extension PostgreSQLOrderStoreTests {
    /// Makes commits wait for a standby that does not exist.
    private func requireStandby(_ observer: PostgreSQLClient) async throws {
        try await observer.write("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        _ = try await observer.read("SELECT pg_reload_conf()")
        while try await observer.read("SHOW synchronous_standby_names").first?.value("synchronous_standby_names") != "nobody" {}
    }

    /// A commit that waits for a standby becomes visible when its wait is cancelled, although the standby does not have it.
    @Test func `A repeated command is confirmed only when its verdict is replicated`() async throws {
        let server = try await PostgreSQLServer()
        let (store, client) = try await Self.makeStore(on: server)
        let id = try await create(store, "Breakfast")
        let observer = PostgreSQLClient(client.configuration)
        try await requireStandby(observer)

        for attempt in 1...3 {
            let claiming = Task {
                if attempt == 3 {
                    _ = try await store.verdict(forKey: "k", of: PersonID(rawValue: "mina"))
                } else {
                    _ = try await store.perform(claim(id, "mina", key: "k"), at: Self.start)
                }
            }
            while try await Self.count(
                observer, "SELECT count(pg_cancel_backend(pid)) AS count FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == 0
            {}
            let error = await #expect(throws: PostgreSQLError.self) { try await claiming.value }
            if case .outcomeUnknown = error {} else { Issue.record("\(String(describing: error))") }
        }

        try await observer.write("ALTER SYSTEM RESET synchronous_standby_names")
        _ = try await observer.read("SELECT pg_reload_conf()")
        let repeated = try await store.perform(claim(id, "mina", key: "k"), at: Self.start)
        #expect(repeated.isRepeated)
        #expect(try await store.order(id)?.holder == PersonID(rawValue: "mina"))
        await server.stop()
    }

    @Test func `A reader whose token is extended does not wait for a standby`() async throws {
        let server = try await PostgreSQLServer()
        let (store, client) = try await Self.makeStore(on: server)
        let mina = Person(id: PersonID(rawValue: "mina"), name: "Mina", role: .courier, creationTime: Self.start)
        let (token, end) = (SecretHash(ofSecret: "t"), Self.start + .seconds(90 * 86_400))
        try await store.addPerson(mina)
        try await store.addToken(token, of: mina.id, expires: Self.start + .seconds(90))
        let observer = PostgreSQLClient(client.configuration)
        try await requireStandby(observer)

        let found = try await store.person(withToken: token, at: Self.start, expires: end)

        #expect(found == mina)
        #expect(try await Self.count(observer, "SELECT count(*) AS count FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == 0)
        #expect(try await Self.count(observer, "SELECT count(*) AS count FROM tokens WHERE expiry = \(end.milliseconds)") == 1)
        await server.stop()
    }
}
