import Foundation
import PostgreSQLClient
import PostgreSQLFixtures
import Testing

@testable import Origin

/// The verification of a database that origins share, in which a test damages something.
@Suite("Verification of a shared database", .timeLimit(.minutes(10)))
struct SharedDatabaseCheckTests {
    // MARK: - Tables

    @Test func `A new database of an origin has no problems`() async throws {
        let address = try await PostgreSQLServer.makeDatabase()
        await (try SharedDatabase(at: address)).close()
        let check = try SharedDatabaseCheck(of: address)

        for store in SharedDatabaseCheck.Store.allCases { #expect(try await check.report(on: store) == .init(), "\(store)") }
        await check.close()
    }

    @Test func `A database without tables is named, and gets none`() async throws {
        let address = try await PostgreSQLServer.makeDatabase()
        let check = try SharedDatabaseCheck(of: address)

        for _ in 1...2 {
            let problems = try await check.report(on: .schema).problems
            #expect(problems.count == 1)
            #expect(problems.first?.hasPrefix("tables of this release are missing (orders, proof contents, ") == true)
        }
        await check.close()
    }

    @Test func `The tables of other releases are named`() async throws {
        let address = try await PostgreSQLServer.makeDatabase()
        await (try SharedDatabase(at: address)).close()
        let (check, client) = (try SharedDatabaseCheck(of: address), PostgreSQLClient(try PostgreSQLConfiguration(address)))

        try await client.write("INSERT INTO lading_migrations (name, excludes_earlier) VALUES ('later', false)")
        let later = try await check.report(on: .schema)
        try await client.write("INSERT INTO lading_migrations (name, excludes_earlier) VALUES ('much later', true)")
        let excluding = try await check.report(on: .schema)
        try await client.write("DELETE FROM lading_migrations WHERE name IN ('later', 'much later', 'uploads')")
        let earlier = try await check.report(on: .schema)

        #expect(later == .init(limitation: "changes of a later release: later"))
        #expect(excluding.problems == ["a later release has changed the tables (later, much later): update this program"])
        #expect(earlier.problems == ["tables of this release are missing (uploads): a server of this release adds them when it starts"])
        await check.close()
        await client.shutDown()
    }

    // MARK: - Uploads

    /// A database with the file `fox.txt` of 9 bytes in 3 parts, and an incomplete upload of `cat.txt` with 6 of 20 bytes.
    private static func makeUploads() async throws -> (check: SharedDatabaseCheck, client: PostgreSQLClient) {
        let address = try await PostgreSQLServer.makeDatabase()
        await (try SharedDatabase(at: address)).close()
        let client = PostgreSQLClient(try PostgreSQLConfiguration(address))
        let storage = PostgreSQLUploadStorage(client: client, sizeLimit: 100, limits: UploadLimits(), now: { demoDate })
        let file = try await storage.create(try #require(UploadName("fox.txt")), length: nil, preconditions: nil, for: nil)
        try await append(3, to: file, in: storage)
        _ = try await storage.publish(file, length: 9)
        try await storage.remove(file.id)
        let incomplete = try await storage.create(try #require(UploadName("cat.txt")), length: 20, preconditions: nil, for: nil)
        try await append(2, to: incomplete, in: storage)
        return (try SharedDatabaseCheck(of: address), client)
    }

    /// Appends parts of three bytes, which are smaller than those of requests.
    private static func append(_ count: Int, to record: UploadRecord, in storage: PostgreSQLUploadStorage) async throws {
        for number in 0..<count {
            try await storage.client.write("INSERT INTO upload_parts VALUES (\(record.id), \(3 * number), 'abc')")
        }
    }

    @Test func `Complete files and incomplete uploads have no problems`() async throws {
        let (check, client) = try await Self.makeUploads()

        #expect(try await check.report(on: .uploads) == .init())
        await check.close()
        await client.shutDown()
    }

    @Test(arguments: [
        (
            "DELETE FROM upload_parts WHERE start = 6 AND upload_id = (SELECT content_id FROM uploaded_files)",
            "the file fox.txt has 6 bytes in place of 9"
        ),
        (
            "DELETE FROM upload_parts WHERE start = 3 AND upload_id = (SELECT content_id FROM uploaded_files)",
            "the parts of the file fox.txt have a gap"
        ),
        (
            "DELETE FROM upload_parts WHERE upload_id = (SELECT content_id FROM uploaded_files)",
            "the file fox.txt has 0 bytes in place of 9"
        ),
        ("UPDATE uploaded_files SET length = 8", "the file fox.txt has 9 bytes in place of 8"),
        (
            "DELETE FROM upload_parts WHERE start = 0 AND upload_id = (SELECT id FROM uploads)",
            "the parts of the incomplete upload of cat.txt have a gap"
        ),
        ("UPDATE uploads SET length = 5", "the incomplete upload of cat.txt has 6 bytes of 5"),
    ])
    func `Each damage of a file is found and named`(_ damage: String, _ problem: String) async throws {
        let (check, client) = try await Self.makeUploads()

        let rows = try await client.write(PostgreSQLStatement(sql: damage))

        #expect(rows.changedCount > 0)
        #expect(try await check.report(on: .uploads).problems == [problem])
        await check.close()
        await client.shutDown()
    }

    // MARK: - Servers

    @Test func `A database that cannot be reached is no damage`() async throws {
        let check = try SharedDatabaseCheck(of: "postgres://lading@127.0.0.1:1/none")

        let error = await #expect(throws: SharedDatabase.Failure.self) { try await check.report(on: .orders) }

        guard case .unavailable = error else { throw try #require(error) }
        await check.close()
    }
}
