import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingTesting
import NIOCore
import NIOEmbedded
import PostgreSQLClient
import PostgreSQLFixtures
import ServerStartup
import Synchronization
import Testing

@testable import Origin

/// Uploads to origins that share a database.
@Suite("Uploads to several origins", .timeLimit(.minutes(10)))
struct SharedUploadTests {
    private static func makeStorage(
        _ limits: UploadLimits = UploadLimits(), now: @escaping @Sendable () -> Date = { demoDate }
    ) async throws -> PostgreSQLUploadStorage {
        let client = PostgreSQLClient(try PostgreSQLConfiguration(try await PostgreSQLServer.makeDatabase()))
        var migrator = PostgreSQLMigrator()
        PostgreSQLUploadStorage.registerMigrations(in: &migrator)
        try await migrator.migrate(client)
        return PostgreSQLUploadStorage(client: client, sizeLimit: 10 << 20, limits: limits, now: now)
    }

    /// Moves all times of the database back, as if so much time had passed.
    private static func letPass(_ seconds: Int, in storage: PostgreSQLUploadStorage) async throws {
        try await storage.client.write([
            "UPDATE uploads SET created = created - \(seconds), active = active - \(seconds), completed = completed - \(seconds)",
            "UPDATE retired_contents SET retired = retired - \(seconds)",
        ])
    }

    private static func upload(_ bytes: [UInt8], as name: UploadName, in storage: PostgreSQLUploadStorage) async throws {
        let record = try await storage.create(name, length: bytes.count, preconditions: nil, for: nil)
        let writer = try await storage.writer(for: record, at: 0)
        try await writer.append(ByteBuffer(bytes: bytes))
        try await writer.checkpoint()
        _ = try await storage.publish(record, length: bytes.count)
        try await storage.remove(record.id)
    }

    private static func content(of file: any UploadedFile) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < file.length {
            bytes += try await file.content(from: bytes.count, atMost: 300_000).readableBytesView
        }
        return bytes
    }

    @Test func `An upload that was begun at one origin continues at another`() async throws {
        var configuration = OriginConfiguration(storage: .inMemory, deliveryCount: 0)
        configuration.sharedDatabase = try await PostgreSQLServer.makeDatabase()
        let first = try await OriginServer(configuration, logger: silentLogger, now: { demoDate })
        let second = try await OriginServer(configuration, logger: silentLogger, now: { demoDate })

        try await first.application.test(.router) { one in
            try await second.application.test(.router) { two in
                let begun = try await one.executeRequest(
                    uri: "/uploads/fox.txt", method: .post, headers: [.uploadComplete: "?0"], body: ByteBuffer(string: "The quick "))
                let part = try #require(begun.headers[.location])
                let status = try await two.executeRequest(uri: part, method: .head, headers: [:], body: nil)
                let fields: HTTPFields = [
                    .contentType: "application/partial-upload", .uploadOffset: "10", .uploadComplete: "?1",
                ]
                let last = try await two.executeRequest(uri: part, method: .patch, headers: fields, body: ByteBuffer(string: "fox"))
                let served = try await one.executeRequest(uri: "/uploads/fox.txt", method: .get, headers: [:], body: nil)

                #expect(status.headers[.uploadOffset] == "10")
                #expect(last.status == .created)
                #expect(String(buffer: served.body) == "The quick fox")
            }
        }
    }

    @Test func `The bytes of a request that a later one cancels are stored`() async throws {
        var configuration = OriginConfiguration(storage: .inMemory, deliveryCount: 0)
        configuration.sharedDatabase = try await PostgreSQLServer.makeDatabase()
        let origin = try await OriginServer(configuration, logger: silentLogger, now: { demoDate })
        let more = Gate()
        let chunks = Mutex([ByteBuffer(string: "The quick ")])
        let content = AsyncStream<ByteBuffer> {
            if let chunk = chunks.withLock({ $0.popLast() }) { return chunk }
            try? await more.wait()
            return nil
        }

        try await origin.application.test(.router) { client in
            let begun = try await client.executeRequest(
                uri: "/uploads/fox.txt", method: .post, headers: [.uploadComplete: "?0"], body: nil)
            let part = try #require(begun.headers[.location])
            let appending = Task { try await origin.append(content, to: part) }
            await more.waitForWaiters(count: 1)

            let status = try await client.executeRequest(uri: part, method: .head, headers: [:], body: nil)

            #expect(status.headers[.uploadOffset] == "10")
            _ = await appending.result
        }
    }

    @Test func `Of two requests that continue an upload at one offset the later one does not replace bytes`() async throws {
        let (storage, name) = (try await Self.makeStorage(), try #require(UploadName("fox.txt")))
        let record = try await storage.create(name, length: nil, preconditions: nil, for: nil)
        // The first bytes are stored at once, later ones when there are enough for a part.
        let begun = try await storage.writer(for: record, at: 0)
        try await begun.append(ByteBuffer(string: "the "))
        let late = try await storage.writer(for: record, at: 4)
        try await late.append(ByteBuffer(string: "late"))
        let writer = try await storage.writer(for: record, at: 4)
        try await writer.append(ByteBuffer(string: "first"))
        try await writer.checkpoint()

        await #expect(throws: CancellationError.self) { try await late.checkpoint() }

        #expect(try await storage.offset(of: record) == 9)
        #expect(try await storage.publish(record, length: 9) == false)
        let file = try #require(try await storage.file(name))
        #expect(try await Self.content(of: file) == Array("the first".utf8))
    }

    @Test func `A file of several parts is read whole and in ranges, also while it is replaced`() async throws {
        let (storage, name) = (try await Self.makeStorage(), try #require(UploadName("photo.jpg")))
        let bytes = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try await Self.upload(bytes, as: name, in: storage)
        let file = try #require(try await storage.file(name))

        try await Self.upload([1, 2, 3], as: name, in: storage)

        #expect(try await Self.content(of: file) == bytes)
        #expect(try await file.content(from: 600_000, atMost: 10).readableBytesView.elementsEqual(bytes[600_000..<600_010]))
        let replacement = try #require(try await storage.file(name))
        #expect(replacement.tag != file.tag)
        #expect(try await Self.content(of: replacement) == [1, 2, 3])
    }

    @Test func `The content of a replaced file is removed later`() async throws {
        let storage = try await Self.makeStorage()
        let name = try #require(UploadName("fox.txt"))
        try await Self.upload([1], as: name, in: storage)
        try await Self.upload([2], as: name, in: storage)

        try await Self.letPass(7_200, in: storage)
        try await Self.upload([3], as: name, in: storage)

        let rows = try await storage.client.read("SELECT content FROM upload_parts ORDER BY content")
        #expect(try rows.map { try $0.value("content", as: [UInt8].self) } == [[2], [3]])
    }

    @Test func `An upload that receives its first bytes slowly outlives an empty one`() async throws {
        let (storage, name) = (try await Self.makeStorage(), try #require(UploadName("fox.txt")))
        let (slow, empty) = (
            try await storage.create(name, length: nil, preconditions: nil, for: nil),
            try await storage.create(name, length: nil, preconditions: nil, for: nil)
        )
        let writer = try await storage.writer(for: slow, at: 0)
        try await writer.append(ByteBuffer(string: "The quick "))

        try await Self.letPass(400, in: storage)
        _ = try await storage.create(name, length: nil, preconditions: nil, for: nil)

        #expect(try await storage.record(empty.id) == nil)
        #expect(try await storage.record(slow.id) != nil)
        try await writer.append(ByteBuffer(string: "fox"))
        try await writer.checkpoint()
        #expect(try await storage.offset(of: slow) == 13)
    }

    @Test func `Requests without bytes prolong the life of an empty upload by minutes only`() async throws {
        let (storage, name) = (try await Self.makeStorage(), try #require(UploadName("fox.txt")))
        let idle = try await storage.create(name, length: nil, preconditions: nil, for: nil)
        for _ in 0..<Int(UploadRecord.maxEmptyLifetime / 100) {
            _ = try await storage.writer(for: idle, at: 0)
            try await Self.letPass(101, in: storage)
        }

        _ = try await storage.create(name, length: nil, preconditions: nil, for: nil)

        #expect(try await storage.record(idle.id) == nil)
    }

    @Test func `Bytes that arrive slowly are stored before they are a part`() async throws {
        let date = Mutex(demoDate)
        let storage = try await Self.makeStorage(now: { date.withLock { $0 } })
        let record = try await storage.create(try #require(UploadName("fox.txt")), length: nil, preconditions: nil, for: nil)
        let writer = try await storage.writer(for: record, at: 0)
        for text in ["The ", "quick "] { try await writer.append(ByteBuffer(string: text)) }
        #expect(try await storage.offset(of: record) == 4)

        date.withLock { $0 += 60 }
        try await writer.append(ByteBuffer(string: "brown "))

        #expect(try await storage.offset(of: record) == 16)
    }

    @Test func `Many small requests make few parts`() async throws {
        let (storage, name) = (try await Self.makeStorage(), try #require(UploadName("fox.txt")))
        let record = try await storage.create(name, length: nil, preconditions: nil, for: nil)
        let bytes = (0..<200).map { UInt8($0) }
        let expected = bytes + Array(repeating: 1, count: 10_000) + Array(repeating: 2, count: 10_000)

        for (offset, byte) in bytes.enumerated() {
            let writer = try await storage.writer(for: record, at: offset)
            try await writer.append(ByteBuffer(bytes: [byte]))
            try await writer.checkpoint()
        }
        let large = try await storage.writer(for: record, at: 200)
        try await large.append(ByteBuffer(repeating: 1, count: 10_000))
        try await large.checkpoint()
        let last = try await storage.writer(for: record, at: 10_200)
        try await last.append(ByteBuffer(repeating: 2, count: 10_000))
        try await last.checkpoint()

        #expect(try await storage.publish(record, length: 20_200) == false)
        let file = try #require(try await storage.file(name))
        #expect(try await Self.content(of: file) == expected)
        #expect(try await storage.client.read("SELECT start FROM upload_parts").count == 2)
    }

    // MARK: - Limits

    private static func usedSpace(_ storage: PostgreSQLUploadStorage) async throws -> Int? {
        try await storage.client.read(PostgreSQLUploadStorage.usedSpace).first?.value("used")
    }

    @Test func `The space is that of all files, parts and retired contents, and is known without reading them`() async throws {
        let (storage, name) = (try await Self.makeStorage(), try #require(UploadName("fox.txt")))
        let overhead = UploadLimits.overhead
        try await Self.upload(Array(repeating: 1, count: 1_000_000), as: name, in: storage)
        try await Self.upload([2, 2], as: name, in: storage)
        let begun = try await storage.create(name, length: nil, preconditions: nil, for: nil)
        try await storage.writer(for: begun, at: 0).append(ByteBuffer(string: "abc"))

        #expect(try await Self.usedSpace(storage) == 1_000_000 + 2 + 3 + 2 * overhead)
        try await storage.remove(begun.id)
        #expect(try await Self.usedSpace(storage) == 1_000_000 + 2 + overhead)
        try await Self.letPass(7_200, in: storage)
        try await Self.upload([3], as: name, in: storage)
        #expect(try await Self.usedSpace(storage) == 2 + 1 + overhead)

        let plan = try await storage.client.read("EXPLAIN \(PostgreSQLUploadStorage.usedSpace)")
            .map { try $0.value("QUERY PLAN", as: String.self) }
        #expect(!plan.contains { $0.contains("upload_parts") || $0.contains("uploaded_files") }, "\(plan)")
    }

    @Test func `The space of an earlier release is counted when its tables are upgraded`() async throws {
        let client = PostgreSQLClient(try PostgreSQLConfiguration(try await PostgreSQLServer.makeDatabase()))
        try await client.writeWithoutLimit(PostgreSQLUploadStorage.tables)
        try await client.write([
            "INSERT INTO uploads (id, name, created) VALUES ('u', 'cat.txt', 0)",
            "INSERT INTO upload_parts VALUES ('u', 0, 'abc'), ('f', 0, 'de')",
            "INSERT INTO uploaded_files VALUES ('fox.txt', 'f', 2, 0)",
        ])

        try await client.writeWithoutLimit(PostgreSQLUploadStorage.activityColumn)
        try await client.writeWithoutLimit(PostgreSQLUploadStorage.spaceTables)

        let used: Int? = try await client.read(PostgreSQLUploadStorage.usedSpace).first?.value("used")
        #expect(used == 5 + 2 * UploadLimits.overhead)
    }

    @Test func `Idle uploads make room, first those of the client with most`() async throws {
        let (storage, name) = (try await Self.makeStorage(UploadLimits(total: 4, perClient: 2)), try #require(UploadName("fox.txt")))
        let clients = try ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"].map { try #require(ClientAddress($0)) }
        @Sendable func begin(_ client: Int) async throws -> UploadRecord {
            let record = try await storage.create(name, length: nil, preconditions: nil, for: clients[client])
            try await storage.writer(for: record, at: 0).append(ByteBuffer(string: "a"))
            return record
        }
        let few = try await begin(0)
        let many = [try await begin(1), try await begin(1)]
        _ = try await begin(2)
        await #expect(throws: UploadProblem.tooManyUploads) { try await begin(3) }

        try await Self.letPass(3_600, in: storage)
        try await storage.writer(for: many[0], at: 1).append(ByteBuffer(string: "b"))
        _ = try await begin(3)

        #expect(try await storage.record(many[1].id) == nil)
        for kept in [few, many[0]] { #expect(try await storage.record(kept.id) != nil) }
        _ = try await begin(1)
        #expect(try await storage.record(many[0].id) != nil)
    }

    @Test func `A client at its own limit gives up an idle upload of its own`() async throws {
        let (storage, name) = (try await Self.makeStorage(UploadLimits(perClient: 1)), try #require(UploadName("fox.txt")))
        let (one, other) = (try #require(ClientAddress("192.0.2.1")), try #require(ClientAddress("192.0.2.2")))
        let kept = try await storage.create(name, length: nil, preconditions: nil, for: other)
        try await storage.writer(for: kept, at: 0).append(ByteBuffer(string: "a"))
        let idle = try await storage.create(name, length: nil, preconditions: nil, for: one)
        try await storage.writer(for: idle, at: 0).append(ByteBuffer(string: "a"))

        try await Self.letPass(3_600, in: storage)
        _ = try await storage.create(name, length: nil, preconditions: nil, for: one)

        #expect(try await storage.record(idle.id) == nil)
        #expect(try await storage.record(kept.id) != nil)
        await #expect(throws: UploadProblem.tooManyUploadsPerClient(limit: 1)) {
            try await storage.create(name, length: nil, preconditions: nil, for: one)
        }
    }

    @Test func `Bytes of an upload that was removed meanwhile are refused`() async throws {
        let (storage, name) = (try await Self.makeStorage(), try #require(UploadName("fox.txt")))
        let record = try await storage.create(name, length: nil, preconditions: nil, for: nil)
        let writer = try await storage.writer(for: record, at: 0)
        try await storage.remove(record.id)

        await #expect(throws: UploadProblem.removed) { try await writer.append(ByteBuffer(string: "fox")) }
        await #expect(throws: UploadProblem.removed) { try await storage.writer(for: record, at: 0) }
        #expect(try await Self.usedSpace(storage) == 0)
    }

    @Test func `An origin whose clock is wrong removes no uploads of others`() async throws {
        let (storage, name) = (try await Self.makeStorage(), try #require(UploadName("fox.txt")))
        let late = PostgreSQLUploadStorage(
            client: storage.client, sizeLimit: 10, limits: UploadLimits(), now: { Date() + 30 * 86_400 })
        let record = try await storage.create(name, length: nil, preconditions: nil, for: nil)

        _ = try await late.create(name, length: nil, preconditions: nil, for: nil)

        #expect(try await storage.record(record.id) != nil)
    }

    @Test func `A file is read beyond two gigabytes`() async throws {
        let (storage, name) = (try await Self.makeStorage(), try #require(UploadName("film.mp4")))
        try await Self.upload([1], as: name, in: storage)
        try await storage.client.write([
            "INSERT INTO upload_parts SELECT content_id, 3000000000, 'abc' FROM uploaded_files",
            "UPDATE uploaded_files SET length = 3000000003",
        ])
        let file = try #require(try await storage.file(name))

        let bytes = try await file.content(from: 3_000_000_001, atMost: 10)

        #expect(String(buffer: bytes) == "bc")
    }

    @Test func `An upload that another origin is removing does not become a file`() async throws {
        let (storage, name) = (try await Self.makeStorage(), try #require(UploadName("fox.txt")))
        let record = try await storage.create(name, length: 3, preconditions: nil, for: nil)
        let writer = try await storage.writer(for: record, at: 0)
        try await writer.append(ByteBuffer(string: "fox"))
        let removal = Task { [client = storage.client] in
            // The transaction ends when another one waits for it.
            try await client.write([
                "DELETE FROM uploads", "DELETE FROM upload_parts",
                Self.waiting(for: "SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid"),
            ])
        }
        try await storage.client.write(
            Self.waiting(
                for: """
                    SELECT FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
                        AND relation = 'upload_parts'::regclass AND mode = 'RowExclusiveLock'
                    """))

        await #expect(throws: (any Error).self) { try await storage.publish(record, length: 3) }

        _ = try await removal.value
        #expect(try await storage.file(name) == nil)
    }

    /// Returns a statement that waits until a query has a row.
    private static func waiting(for query: String) -> PostgreSQLStatement {
        PostgreSQLStatement(sql: "DO $$ BEGIN WHILE NOT EXISTS (\(query)) LOOP PERFORM pg_sleep(0.005); END LOOP; END $$")
    }
}

extension OriginServer {
    /// Sends content to an empty upload as it arrives, and returns the status of the response.
    func append(_ content: AsyncStream<ByteBuffer>, to path: String) async throws -> HTTPResponse.Status {
        let fields: HTTPFields = [.contentType: "application/partial-upload", .uploadOffset: "0", .uploadComplete: "?0"]
        let head = HTTPRequest(method: .patch, scheme: "http", authority: "localhost", path: path, headerFields: fields)
        let context = OriginContext(source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: silentLogger))
        return try await application.responder.respond(to: Request(head: head, body: RequestBody(asyncSequence: content)), context: context)
            .status
    }
}
