import Foundation
import PostgreSQLClient
import PostgreSQLFixtures
import Testing

@Suite("Client of PostgreSQL")
struct PostgreSQLClientTests {
    func makeClient(_ change: (inout PostgreSQLConfiguration) -> Void = { _ in }) async throws -> PostgreSQLClient {
        var configuration = try PostgreSQLConfiguration(try await PostgreSQLServer.makeDatabase())
        change(&configuration)
        return PostgreSQLClient(configuration)
    }

    @Test func `Values of each type return unchanged`() async throws {
        let client = try await makeClient()
        // A mark with an accent is another character in Swift, and two in PostgreSQL.
        let text = "it's \"quoted\" \\ 郵便 \n \"\u{301} \\\u{301}"
        let bytes = (0...255).map { UInt8($0) }

        let row = try #require(
            try await client.read(
                """
                SELECT \(text)::text AS text, \(bytes)::bytea AS bytes, \(Int64.min)::bigint AS number, \(0.1)::float8 AS fraction,
                    \(true)::boolean AS flag, \(String?.none)::text AS nothing, \(array: [text, nil, "NULL", ""])::text[] AS array
                """
            ).first)

        #expect(try row.value("text") == text)
        #expect(try row.value("bytes") == bytes)
        #expect(try row.value("number") == Int64.min)
        #expect(try row.value("fraction") == 0.1)
        #expect(try row.value("flag") == true)
        #expect(try row.optional("nothing", as: String.self) == nil)
        let elements = try await client.read("SELECT element FROM unnest(\(array: [text, nil, "NULL", ""])::text[]) AS element")
        #expect(try elements.map { try $0.optional("element", as: String.self) } == [text, nil, "NULL", ""])
    }

    @Test func `Copied values return unchanged`() async throws {
        let client = try await makeClient()
        try await client.write("CREATE TABLE copies (id bigint PRIMARY KEY, text text, bytes bytea)")
        let texts = ["it's \"quoted\"", "a\tb\nc\rd \\ e", "\\N", "\\.", "郵便", "\\\u{301}\t\u{301}", ""]
        let bytes = (0...255).map { UInt8($0) }

        try await client.copy(
            texts.enumerated().map { [$0.offset.postgreSQLValue, .text($0.element), .bytes(bytes)] } + [[.text("99"), .null, .null]],
            into: "copies (id, text, bytes)")

        let rows = try await client.read("SELECT text, bytes FROM copies ORDER BY id")
        #expect(try rows.map { try $0.optional("text", as: String.self) } == texts + [nil])
        #expect(try rows.map { try $0.optional("bytes", as: [UInt8].self) } == texts.map { _ in bytes } + [nil])
    }

    @Test func `A refused copy inserts nothing, and the connection goes on`() async throws {
        let client = try await makeClient { $0.connectionLimit = 1 }
        try await client.write("CREATE TABLE copies (id bigint PRIMARY KEY)")
        let rows = (0..<100_000).map { [PostgreSQLValue.text($0 == 99_999 ? "0" : "\($0)")] }

        let error = await #expect(throws: PostgreSQLError.self) { try await client.copy(rows, into: "copies (id)") }
        let missing = await #expect(throws: PostgreSQLError.self) { try await client.copy(rows, into: "none (id)") }

        guard case .refused(let rejection) = error, case .refused(let missingRejection) = missing else {
            Issue.record("\(String(describing: error)), \(String(describing: missing))")
            return
        }
        #expect(rejection.state == .uniqueViolation)
        #expect(missingRejection.state == .undefinedTable)
        let count = try await client.read("SELECT count(*) AS count FROM copies").first
        #expect(try count?.value("count") == 0)
    }

    @Test func `A new column does not stop a program that has read its table`() async throws {
        let client = try await makeClient { $0.connectionLimit = 1 }
        try await client.write("CREATE TABLE notes (id bigint PRIMARY KEY)")
        _ = try await client.read("SELECT * FROM notes")
        try await client.write("INSERT INTO notes VALUES (1) RETURNING *")
        let other = PostgreSQLClient(client.configuration)
        try await other.write("ALTER TABLE notes ADD COLUMN text text")

        try await client.write("INSERT INTO notes VALUES (1) ON CONFLICT DO NOTHING RETURNING *")
        let rows = try await client.read(["SELECT * FROM notes", "SELECT count(*) AS count FROM notes"])

        #expect(rows[0].count == 1)
        #expect(try rows[1].first?.value("count") == 1)
    }

    @Test func `A refused statement of a snapshot ends its transaction`() async throws {
        let client = try await makeClient { $0.connectionLimit = 1 }

        await #expect(throws: PostgreSQLError.self) { try await client.read(["SELECT 1", "SELECT 1 / 0", "SELECT 2"]) }

        // A write in the transaction that has failed would be refused.
        try await client.write("CREATE TABLE numbers (number bigint)")
        #expect(try await client.read(["SELECT 1 AS one", "SELECT 2 AS two"])[1].first?.value("two") == 2)
    }

    @Test func `A value of another type is an error that names its column`() async throws {
        let client = try await makeClient()
        let row = try #require(try await client.read("SELECT 'a' AS text, NULL AS nothing").first)

        #expect(throws: PostgreSQLError.unexpectedValue(column: "text")) { try row.value("text", as: Int.self) }
        #expect(throws: PostgreSQLError.unexpectedValue(column: "nothing")) { try row.value("nothing", as: Int.self) }
        #expect(throws: PostgreSQLError.unexpectedValue(column: "other")) { try row.value("other", as: Int.self) }
    }

    @Test func `Statements of one call are one transaction`() async throws {
        let client = try await makeClient()
        try await client.write("CREATE TABLE numbers (number bigint PRIMARY KEY)")

        let error = await #expect(throws: PostgreSQLError.self) {
            try await client.write(["INSERT INTO numbers VALUES (1)", "INSERT INTO numbers VALUES (2)", "INSERT INTO numbers VALUES (1)"])
        }
        #expect(
            error
                == .refused(
                    .init(
                        state: .uniqueViolation, message: "duplicate key value violates unique constraint \"numbers_pkey\"",
                        constraint: "numbers_pkey")))
        let count = try await client.read("SELECT count(*) AS count FROM numbers").first
        #expect(try count?.value("count") == 0)

        let rows = try await client.write(["INSERT INTO numbers VALUES (1), (2)", "DELETE FROM numbers WHERE number = 1 RETURNING number"])
        #expect(rows.map(\.changedCount) == [2, 1])
        #expect(try rows[1].first?.value("number") == 1)
    }

    @Test func `A refused statement leaves the connection usable, and its text can be corrected`() async throws {
        let client = try await makeClient { $0.connectionLimit = 1 }

        for _ in 1...2 {
            let error = await #expect(throws: PostgreSQLError.self) { try await client.read("SELECT number FROM missing") }
            guard case .refused(let rejection) = error else { throw try #require(error) }
            #expect(rejection.state == .undefinedTable)
        }
        try await client.write("CREATE TABLE missing (number bigint)")
        #expect(try await client.read("SELECT number FROM missing").isEmpty)
    }

    @Test func `Many requests share few connections`() async throws {
        let client = try await makeClient { $0.connectionLimit = 2 }

        let connections = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...40 {
                group.addTask { try await client.read("SELECT pg_backend_pid() AS id, pg_sleep(0.002)").first?.value("id") ?? 0 }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(connections.count <= 2)
    }

    @Test func `A request that waits too long for a connection fails`() async throws {
        let client = try await makeClient { ($0.connectionLimit, $0.acquisitionLimit) = (1, .milliseconds(500)) }
        let slow = Task { try await client.read("SELECT pg_sleep(20)") }
        while try await Self.runningStatements(client.configuration) == 0 {}

        await #expect(throws: PostgreSQLError.poolExhausted) { try await client.read("SELECT 1") }
        slow.cancel()
        _ = await slow.result
        #expect(try await client.read("SELECT 1 AS one").count == 1)
    }

    @Test func `A change does not wait for reads that use all of their connections`() async throws {
        let client = try await makeClient { $0.connectionLimit = 4 }
        try await client.write("CREATE TABLE numbers (number bigint)")
        let reads = (1...6).map { _ in Task { try await client.read("SELECT pg_sleep(20)") } }
        while try await Self.runningStatements(client.configuration) < 3 {}

        try await client.write("INSERT INTO numbers VALUES (1)")
        let short = try await client.read("SELECT number FROM numbers", for: .command)

        #expect(short.count == 1)
        #expect(try await Self.runningStatements(client.configuration) == 3, "the others wait for these")
        for read in reads { read.cancel() }
        for read in reads { _ = await read.result }
    }

    @Test func `A cancelled read that waits for a connection is not executed`() async throws {
        let client = try await makeClient { $0.connectionLimit = 1 }
        let slow = Task { try await client.read("SELECT pg_sleep(20)") }
        while try await Self.runningStatements(client.configuration) == 0 {}
        let before = client.roundTripCount
        let waiting = Task { try await client.read("SELECT 1") }

        waiting.cancel()

        await #expect(throws: CancellationError.self) { try await waiting.value }
        slow.cancel()
        _ = await slow.result
        #expect(try await client.read("SELECT 1 AS one").count == 1)
        #expect(client.roundTripCount == before + 1)
    }

    @Test func `A cancelled task cancels its statement on the server`() async throws {
        let client = try await makeClient { $0.connectionLimit = 1 }
        let start = ContinuousClock.now
        let slow = Task { try await client.read("SELECT pg_sleep(20)") }
        while try await Self.runningStatements(client.configuration) == 0 {}

        slow.cancel()

        await #expect(throws: CancellationError.self) { try await slow.value }
        #expect(try await Self.runningStatements(client.configuration) == 0)
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    @Test func `Cancelled reads never cancel the writes that follow on their connection`() async throws {
        let client = try await makeClient { $0.connectionLimit = 1 }
        try await client.write("CREATE TABLE numbers (number bigint)")

        for number in 0..<100 {
            let reading = Task { try await client.read("SELECT pg_sleep(0.002)") }
            let writing = Task { try await client.write("INSERT INTO numbers SELECT \(number)::bigint FROM pg_sleep(0.002)") }
            // At any moment of the statement: the server is a real process, which no manual clock drives.
            try await Task.sleep(for: .microseconds(number * 50))
            reading.cancel()
            _ = await reading.result
            _ = try await writing.value
        }

        #expect(try await client.read("SELECT count(*) AS count FROM numbers").first?.value("count") == 100)
    }

    @Test func `A statement beyond its time limit is refused`() async throws {
        let client = try await makeClient { $0.statementLimit = .milliseconds(100) }

        let error = await #expect(throws: PostgreSQLError.self) { try await client.write("SELECT pg_sleep(10)") }
        guard case .refused(let rejection) = error else { throw try #require(error) }
        #expect(rejection.state == .queryCanceled)
    }

    @Test func `A read is repeated on another connection, and a lost write has an unknown outcome`() async throws {
        let client = try await makeClient { $0.connectionLimit = 1 }
        try await client.write(["CREATE TABLE numbers (number bigint)", "CREATE TABLE signals (id bigint)"])
        let other = PostgreSQLClient(client.configuration)

        // The first attempt would take 20 seconds, the second one ends at once.
        let reading = Task { try await client.read("SELECT pg_sleep(CASE WHEN EXISTS (SELECT 1 FROM signals) THEN 0 ELSE 20 END)") }
        while try await Self.runningStatements(client.configuration) == 0 {}
        try await other.write("INSERT INTO signals VALUES (1)")
        try await Self.endConnection(client.configuration)
        #expect(try await reading.value.count == 1)
        await other.shutDown()

        let writing = Task { try await client.write("INSERT INTO numbers SELECT 1 FROM pg_sleep(20)") }
        try await Self.endConnection(client.configuration)
        let error = await #expect(throws: PostgreSQLError.self) { try await writing.value }
        guard case .outcomeUnknown = error else { throw try #require(error) }
        #expect(try await client.read("SELECT number FROM numbers").isEmpty)
    }

    @Test func `An idle connection that the server has ended is replaced`() async throws {
        let client = try await makeClient { $0.connectionLimit = 1 }
        try await client.write("CREATE TABLE numbers (number bigint)")
        let other = PostgreSQLClient(client.configuration)
        let others: PostgreSQLStatement = """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
            """

        // An ended connection may still be open when the next statement is sent, so one attempt would find it closed by chance.
        for number in 1...20 {
            while try await !other.write(others).isEmpty {}
            try await client.write("INSERT INTO numbers VALUES (\(number))")
        }

        #expect(try await client.read("SELECT number FROM numbers").count == 20)
        await other.shutDown()
    }

    @Test func `Transactions that cannot be serialized are repeated`() async throws {
        let client = try await makeClient()
        try await client.write(["CREATE TABLE numbers (number bigint)", "INSERT INTO numbers VALUES (0)"])

        try await withThrowingTaskGroup { group in
            for _ in 1...8 {
                group.addTask {
                    for _ in 1...3 {
                        let statements: [PostgreSQLStatement] = [
                            "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", "SELECT number FROM numbers",
                            "UPDATE numbers SET number = number + 1",
                        ]
                        while true {
                            do {
                                try await client.write(statements)
                                break
                            } catch PostgreSQLError.refused(let rejection) where rejection.state == .serializationFailure {
                                continue
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(try await client.read("SELECT number FROM numbers").first?.value("number") == 24)
    }

    @Test func `A listener is notified`() async throws {
        let client = try await makeClient()
        let (notifications, continuation) = AsyncStream<Void>.makeStream()
        let listening = Task { try await client.listen(to: "changes") { if $0.contains("hello") { continuation.yield() } } }
        defer { listening.cancel() }
        let sending = Task {
            while !Task.isCancelled { try await client.write("SELECT pg_notify('changes', 'hello')") }
        }

        for await _ in notifications { break }
        sending.cancel()
        _ = await sending.result
    }

    // MARK: - Addresses

    @Test func `A wrong password is an error without the password`() async throws {
        let address = try await PostgreSQLServer.makeDatabase()
        let password = try #require(address.split(separator: ":")[2].split(separator: "@").first)
        let client = PostgreSQLClient(try PostgreSQLConfiguration(address.replacing(password, with: "tops3cret")))

        let error = await #expect(throws: PostgreSQLError.self) { try await client.read("SELECT 1") }
        let text = try #require(error).description
        #expect(text.contains("password authentication failed"))
        #expect(!text.contains("tops3cret"))
        #expect(!client.configuration.description.contains("tops3cret"))
    }

    @Test(
        arguments: [
            "postgres://user:tops3cret@host:port/name?sslmode=sometimes&x=y", "host=a passwort=tops3cret password=tops3cret",
            // The host is missing, or a character of the password is not escaped: the password is read as a port.
            "postgres://user:tops3cret/name", "postgres://user:tops3cret/more@host/name", "host=a,b port=5432,tops3cret",
        ])
    func `An address that is not valid is an error without its password`(address: String) throws {
        let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConfiguration(address) }
        #expect(!(try #require(error).description.contains("tops3cret")))
    }

    @Test(arguments: ["postgres://a,b:5432/name", "postgres://a:1,b:65535/name", "postgres://a/name", "host=a,b port=,5432"])
    func `Ports are numbers, or missing`(address: String) throws {
        #expect(try !PostgreSQLConfiguration(address).hasPassword)
    }

    @Test(arguments: ["postgres://me:tops3cret@a/name", "host=a password=tops3cret", "postgres://me@a/name?sslpassword=tops3cret"])
    func `A password is recognized, also that of a client key`(address: String) throws {
        #expect(try PostgreSQLConfiguration(address).hasPassword)
    }

    @Test func `A server that cannot be reached is an error that says so`() async throws {
        let client = PostgreSQLClient(try PostgreSQLConfiguration("postgres://lading@127.0.0.1:1/none"))

        let error = await #expect(throws: PostgreSQLError.self) { try await client.write("SELECT 1") }
        guard case .unreachable(let reason) = error else { throw try #require(error) }
        #expect(reason.hasSuffix("Connection refused"))
    }

    @Test func `Of several hosts the first that accepts writes is used`() async throws {
        let address = try await PostgreSQLServer.makeDatabase()
        let host = try #require(address.split(separator: "@").last?.split(separator: "/").first)
        let client = PostgreSQLClient(try PostgreSQLConfiguration(address.replacing(host, with: "127.0.0.1:1,\(host)")))

        #expect(try await client.read("SELECT 1").count == 1)
    }

    @Test func `A client that was shut down refuses requests`() async throws {
        let client = try await makeClient()
        await client.shutDown()

        await #expect(throws: PostgreSQLError.shutDown) { try await client.read("SELECT 1") }
    }

    // MARK: - The server's view

    /// Counts the running statements of other connections to a database.
    static func runningStatements(_ configuration: PostgreSQLConfiguration) async throws -> Int {
        let client = PostgreSQLClient(configuration)
        let row = try await client.read(
            """
            SELECT count(*) AS count FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%pg_sleep%'
            """
        ).first
        await client.shutDown()
        return try row?.value("count") ?? 0
    }

    /// Ends the connection that runs a statement.
    private static func endConnection(_ configuration: PostgreSQLConfiguration) async throws {
        while try await runningStatements(configuration) == 0 {}
        let client = PostgreSQLClient(configuration)
        try await client.write(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%pg_sleep%'
            """)
        await client.shutDown()
    }
}
