import LadingCaching
import OrderLifecycle
import OrderStorage
import OrderStorageConformance
@testable import OrderStoragePostgreSQL
import PostgreSQLClient
import Foundation
import PostgreSQLFixtures
import Testing

/// The tests have a server of their own and run one after the other: a transaction of another test would delay their change feeds.
@Suite("Orders in PostgreSQL", .serialized)
struct PostgreSQLOrderStoreTests {
    private static let server = Task { try await PostgreSQLServer() }
    static let start = Timestamp(milliseconds: 1_800_000_000_000)
    private static let suite = OrderStoreConformance { try await makeStore().store }

    static func makeStore(
        contents: (any ProofContentStore)? = nil, on server: PostgreSQLServer? = nil,
        _ change: (inout PostgreSQLConfiguration) -> Void = { _ in }
    ) async throws -> (store: PostgreSQLOrderStore, client: PostgreSQLClient) {
        let usedServer = if let server { server } else { try await Self.server.value }
        var configuration = try PostgreSQLConfiguration(try await usedServer.makeDatabase())
        change(&configuration)
        let client = PostgreSQLClient(configuration)
        var migrator = PostgreSQLMigrator()
        PostgreSQLOrderStore.registerMigrations(in: &migrator)
        try await migrator.migrate(client)
        return (PostgreSQLOrderStore(client, contents: contents), client)
    }

    @Test(arguments: suite.cases)
    func `The PostgreSQL store passes the conformance suite`(_ testCase: OrderStoreConformance.Case) async throws {
        try await Self.suite.check(testCase)
    }

    func create(_ store: PostgreSQLOrderStore, _ title: String) async throws -> Int {
        let content = OrderContent(title: title, price: "1", currency: "EUR", destination: .init(address: "1 Quay Street", coordinate: nil))
        let sender = OrderLifecycle.Sender(PersonID(rawValue: "ada"), role: .dispatcher, actionTime: Self.start)
        let command = OrderStoreCommand(.create(content, externalID: nil), from: sender, key: title, fingerprint: "")
        return try #require(try await store.perform(command, at: Self.start).verdict.order)
    }

    func claim(_ order: Int, _ person: String, key: String) -> OrderStoreCommand {
        let sender = OrderLifecycle.Sender(PersonID(rawValue: person), role: .courier, actionTime: Self.start)
        return OrderStoreCommand(.lifecycle(order: order, .claim), from: sender, key: key, fingerprint: "")
    }

    @Test func `Of many claims on several connections one succeeds`() async throws {
        let (store, _) = try await Self.makeStore()
        let id = try await create(store, "Breakfast")

        let verdicts = try await withThrowingTaskGroup(of: StoredVerdict.self) { group in
            for number in 0..<60 {
                group.addTask { try await store.perform(claim(id, "courier \(number)", key: "k"), at: Self.start).verdict }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(verdicts.count { if case .accepted = $0.outcome { true } else { false } } == 1)
        #expect(verdicts.count { if case .refused = $0.outcome { true } else { false } } == 59)
        #expect(try await store.history(of: id)?.events.count == 2)
    }

    @Test func `Of one key on several connections there is one verdict`() async throws {
        let (store, _) = try await Self.makeStore()
        let id = try await create(store, "Breakfast")

        let results = try await withThrowingTaskGroup(of: CommandResult.self) { group in
            for _ in 0..<20 { group.addTask { try await store.perform(claim(id, "mina", key: "k"), at: Self.start) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(Set(results.map(\.verdict)).count == 1)
        #expect(results.count { !$0.isRepeated } == 1)
        #expect(try await store.history(of: id)?.events.count == 2)
    }

    /// A transaction takes its number when it writes first, and may commit after others with later numbers. A reader of the numbers after the last one that
    /// it has seen misses its changes; a reader of the feed waits for it.
    @Test func `The feed has the changes of a transaction that commits after a later one`() async throws {
        let (store, client) = try await Self.makeStore()
        let early = try await create(store, "Early")
        let start = try await store.position()
        let naiveStart = try await naiveNumber(client)

        // Writes a change of the first order, and commits when the lock is free.
        let lock: PostgreSQLStatement = "SELECT pg_advisory_xact_lock(7)"
        let locking = Task { try await client.write([lock, "SELECT pg_sleep(1)"]) }
        while try await locks(client, areGranted: true) == 0 {}
        let slow = Task {
            try await client.write([
                """
                INSERT INTO order_changes (order_id, event, previous_holder, was_open, milliseconds)
                VALUES (\(early), 1, NULL, true, \(Self.start.milliseconds))
                """,
                lock,
            ])
        }
        while try await locks(client, areGranted: false) == 0 {}
        let late = try await create(store, "Late")

        let naive = try await naiveOrders(client, after: naiveStart)
        let first = try await store.changes(after: start, limit: 10)
        #expect(naive.orders == [late])
        #expect(first.changes.isEmpty)
        _ = try await (locking.value, slow.value)

        let naiveLater = try await naiveOrders(client, after: naive.last)
        let later = try await store.changes(after: first.position, limit: 10)
        #expect(naiveLater.orders.isEmpty, "the naive reader has missed the change")
        #expect(later.changes.map(\.order) == [early, late])
    }

    /// Each program reads the end many times in a second, and the table contains the changes of 30 days.
    @Test func `The end of the feed is found in an index`() async throws {
        let (_, client) = try await Self.makeStore()
        try await client.write(
            """
            INSERT INTO order_changes (order_id, event, was_open, milliseconds)
            SELECT number, 1, true, number FROM generate_series(1, 3000) AS number
            """)

        let plan = try await client.read("EXPLAIN \(PostgreSQLOrderStore.position)").map { try $0.value("QUERY PLAN", as: String.self) }

        #expect(plan.count { $0.contains("Index Only Scan Backward using order_changes_pkey") } == 2, "\(plan)")
        #expect(!plan.contains { $0.contains("Seq Scan on order_changes") }, "\(plan)")
    }

    private func locks(_ client: PostgreSQLClient, areGranted: Bool) async throws -> Int {
        try await Self.count(client, "SELECT count(*) AS count FROM pg_locks WHERE locktype = 'advisory' AND granted = \(areGranted)")
    }

    private func naiveNumber(_ client: PostgreSQLClient) async throws -> Int {
        try await Self.count(client, "SELECT COALESCE(MAX(part), 0) AS count FROM order_changes")
    }

    /// Reads the changes after a number, as a feed by a sequence does.
    private func naiveOrders(_ client: PostgreSQLClient, after number: Int) async throws -> (orders: [Int], last: Int) {
        let rows = try await client.read("SELECT order_id, part FROM order_changes WHERE part > \(number) ORDER BY part")
        return (try rows.map { try $0.value("order_id") }, try rows.last?.value("part") ?? number)
    }

    /// Sets the time of the last pruning, by which the next one is limited.
    static func setPruneTime(_ time: Timestamp, _ client: PostgreSQLClient) async throws {
        try await client.write("UPDATE order_metadata SET prune_time = \(time.milliseconds)")
    }

    static func count(_ client: PostgreSQLClient, _ statement: PostgreSQLStatement) async throws -> Int {
        try await client.read(statement).first?.value("count") ?? 0
    }

    @Test func `The columns of a later release do not stop a running program`() async throws {
        let (store, client) = try await Self.makeStore()
        let id = try await create(store, "Breakfast")
        let mina = Person(id: PersonID(rawValue: "mina"), name: "Mina", role: .courier, creationTime: Self.start, revocationTime: nil)
        let token = SecretHash(ofSecret: "t")
        try await store.addPerson(mina)
        try await store.addToken(token, of: mina.id, expires: Self.start + .seconds(90))
        func use(_ key: String) async throws {
            store.tokens.removeAll()
            #expect(try await store.person(withToken: token, at: Self.start, expires: Self.start) == mina)
            #expect(try await store.people() == [mina])
            #expect(try await store.orders(BoardQuery(.states(Set(OrderState.allCases)), limit: 10)).orders.map(\.id) == [id])
            #expect(try await store.history(of: id)?.record.id == id)
            _ = try await store.perform(claim(id, "mina", key: key), at: Self.start)
        }
        try await use("k1")

        let tables = ["orders", "people", "tokens", "verdicts", "order_events", "order_changes", "order_metadata", "proofs"]
        for table in tables { try await client.write(PostgreSQLStatement(sql: "ALTER TABLE \(table) ADD COLUMN added text")) }
        try await use("k2")
    }

    @Test func `A token of a revoked person is not valid, whichever came first`() async throws {
        let (store, client) = try await Self.makeStore()
        let mina = Person(id: PersonID(rawValue: "mina"), name: "Mina", role: .courier, creationTime: Self.start, revocationTime: nil)
        let token = SecretHash(ofSecret: "t")
        try await store.addPerson(mina)
        try await store.revoke(mina.id, at: Self.start)
        // The token of an exchange that was committed after the tokens were deleted.
        try await client.write(
            "INSERT INTO tokens (hash, person, expiry) VALUES (\(token.text), 'mina', \((Self.start + .seconds(90)).milliseconds))")

        #expect(try await store.person(withToken: token, at: Self.start, expires: Self.start) == nil)
        #expect(try await store.validTokens([token], at: Self.start) == [])
    }

    @Test func `Of links that are exchanged while their person is revoked no token is left`() async throws {
        let (store, client) = try await Self.makeStore()
        for number in 0..<40 {
            let person = PersonID(rawValue: "courier \(number)")
            let (link, token) = (SecretHash(ofSecret: "link \(number)"), SecretHash(ofSecret: "token \(number)"))
            try await store.addPerson(Person(id: person, name: "\(number)", role: .courier, creationTime: Self.start, revocationTime: nil))
            try await store.addLink(link, of: person, expires: Self.start + .seconds(90))
            async let revoked: Void = store.revoke(person, at: Self.start)
            _ = try await store.exchangeLink(link, for: token, at: Self.start, expires: Self.start + .seconds(90))
            try await revoked
        }

        #expect(try await Self.count(client, "SELECT count(*) AS count FROM tokens") == 0)
    }

    @Test func `One file that is accepted twice at once is imported once`() async throws {
        let (store, client) = try await Self.makeStore()
        let content = OrderContent(title: "Breakfast", price: "1", currency: "EUR", destination: .init(address: "1 Quay", coordinate: nil))
        let orders = [StagedOrder(externalID: nil, content: content)]
        for number in 0..<8 { try await store.stage(orders, inImport: "i\(number)", at: Self.start) }

        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    try await store.acceptImport("i\(number)", count: 1, digest: "same", by: nil, at: Self.start)
                    while try await !store.continueImport("i\(number)", limit: 10, at: Self.start).isFinished {}
                }
            }
            try await group.waitForAll()
        }

        #expect(try await Self.count(client, "SELECT count(*) AS count FROM orders") == 1)
        #expect(try await Self.count(client, "SELECT count(*) AS count FROM imports WHERE is_repeated") == 7)
    }

    @Test func `Orders of one file with identifiers of different bytes are different orders`() async throws {
        let (store, client) = try await Self.makeStore()
        let content = OrderContent(title: "Breakfast", price: "1", currency: "EUR", destination: .init(address: "1 Quay", coordinate: nil))
        let orders = ["caf\u{e9}", "cafe\u{301}"].map { StagedOrder(externalID: $0, content: content) }
        try await store.stage(orders, inImport: "i", at: Self.start)
        try await store.acceptImport("i", count: 2, digest: "d", by: nil, at: Self.start)

        while try await !store.continueImport("i", limit: 10, at: Self.start).isFinished {}

        #expect(try await Self.count(client, "SELECT count(*) AS count FROM orders") == 2)
    }

    @Test(arguments: ["\u{d4e}'", "\\", "' & !'", "O'Neil", "caf\u{e9} \u{301}", "😀", ":*", "a:*b", "กำ"])
    func `Any text can be searched for`(_ text: String) async throws {
        let (store, _) = try await Self.makeStore()
        _ = try await create(store, "Order for \(text)")
        var query = BoardQuery(.open, limit: 10)
        query.text = text

        #expect(try await store.orders(query).orders.count == 1)
    }

    @Test func `More old rows than those of one transaction are deleted`() async throws {
        let (store, client) = try await Self.makeStore()
        _ = try await create(store, "Breakfast")
        try await client.write(
            """
            INSERT INTO order_changes (order_id, event, was_open, milliseconds) SELECT 1, 1, false, number FROM generate_series(1, 12000) AS number
            """)
        try await client.write(
            "INSERT INTO verdicts (person, key, fingerprint, verdict, milliseconds) SELECT 'mina', 'key' || n, '', '', n FROM generate_series(1, 12000) AS n"
        )

        #expect(try await store.prune(OrderRetention(), at: Self.start))

        #expect(try await Self.count(client, "SELECT count(*) AS count FROM order_changes") == 0)
        #expect(try await Self.count(client, "SELECT count(*) AS count FROM verdicts WHERE milliseconds <= 12000") == 0)
    }

    @Test func `Leases go by the clock of the database, not by those of the programs`() async throws {
        let (explicit, client) = try await Self.makeStore()
        let store = PostgreSQLOrderStore(client, usesDatabaseTime: true)
        let id = try await create(explicit, "Breakfast")
        let yearLater = Self.start + .seconds(400 * 86_400)

        _ = try await store.perform(claim(id, "mina", key: "k"), at: yearLater)

        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        let lease = try #require(try await store.order(id)?.leaseEnd)
        #expect(lease > now + .seconds(1_700) && lease < now + .seconds(1_900))
        #expect(try await store.expireLeases(at: yearLater, limit: 10) == 0)
        #expect(try await store.order(id)?.state == .claimed)
    }

    @Test func `Imports and parts of proofs go by the clock of the database`() async throws {
        let (explicit, client) = try await Self.makeStore()
        let store = PostgreSQLOrderStore(client, usesDatabaseTime: true)
        let content = OrderContent(title: "Breakfast", price: "1", currency: "EUR", destination: .init(address: "1 Quay", coordinate: nil))
        let yearLater = Self.start + .seconds(400 * 86_400)
        try await store.stage([StagedOrder(externalID: nil, content: content)], inImport: "i", at: yearLater)
        try await store.acceptImport("i", count: 1, digest: "d", by: nil, at: yearLater)
        let digest = try #require(ProofDigest(rawValue: String(repeating: "a1", count: 32)))

        while try await !store.continueImport("i", limit: 10, at: yearLater).isFinished {}
        let id = try #require(try await store.openOrderIDs(demoOnly: false).first)
        try await store.append([1], at: 0, to: ProofID(order: id, person: PersonID(rawValue: "mina"), digest: digest), at: yearLater)

        let hourLater = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000) + 3_600_000)
        let event = try #require(try await explicit.history(of: id)?.events.first)
        #expect(event.acceptanceTime < hourLater)
        let parts: PostgreSQLStatement = "SELECT count(*) AS count FROM proof_parts WHERE milliseconds < \(hourLater.milliseconds)"
        #expect(try await Self.count(client, parts) == 1)
    }

    @Test func `An order that is taken after it was found by distance is not read for the page`() async throws {
        let (store, client) = try await Self.makeStore()
        let (open, taken) = (try await create(store, "Open"), try await create(store, "Taken"))
        let place = try #require(Coordinate(latitude: 40.7, longitude: -74))
        let found = [taken, open]
        _ = try await store.perform(claim(taken, "mina", key: "k"), at: Self.start)

        let orders = try await BoardReading(client).orders(found, of: BoardQuery(.open, sort: .distance(from: place)))

        #expect(orders.map(\.id) == [open])
    }

    @Test func `A claim does not wait for long reads`() async throws {
        let (store, client) = try await Self.makeStore()
        let id = try await create(store, "Breakfast")
        let mina = Person(id: PersonID(rawValue: "mina"), name: "Mina", role: .courier, creationTime: Self.start, revocationTime: nil)
        let token = SecretHash(ofSecret: "t")
        try await store.addPerson(mina)
        try await store.addToken(token, of: mina.id, expires: Self.start + .seconds(90))
        let observer = PostgreSQLClient(client.configuration)
        let sleeping: PostgreSQLStatement = """
            SELECT count(*) AS count FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%pg_sleep%'
            """
        let reads = (1...20).map { _ in Task { try await client.read("SELECT pg_sleep(20)") } }
        while try await Self.count(observer, sleeping) < 8 {}

        #expect(try await store.person(withToken: token, at: Self.start, expires: Self.start) == mina)
        let result = try await store.perform(claim(id, "mina", key: "k"), at: Self.start)

        #expect(result.verdict.state == .claimed)
        #expect(try await Self.count(observer, sleeping) == 8)
        for read in reads { read.cancel() }
        for read in reads { _ = await read.result }
        await observer.shutDown()
    }

    @Test func `A claim takes two round trips`() async throws {
        let (store, client) = try await Self.makeStore()
        let id = try await create(store, "Breakfast")
        let before = client.roundTripCount

        _ = try await store.perform(claim(id, "mina", key: "k"), at: Self.start)

        // A notification of the other programs may be among them.
        #expect((2...3).contains(client.roundTripCount - before))
    }

    @Test func `Programs that start together apply each migration once`() async throws {
        let client = PostgreSQLClient(try PostgreSQLConfiguration(try await Self.server.value.makeDatabase()))
        var migrator = PostgreSQLMigrator()
        PostgreSQLOrderStore.registerMigrations(in: &migrator)

        try await withThrowingTaskGroup { [migrator] group in
            for _ in 1...4 { group.addTask { try await migrator.migrate(client) } }
            try await group.waitForAll()
        }

        #expect(try await Self.count(client, "SELECT count(*) AS count FROM order_metadata") == 1)
    }
}
