import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PostgreSQLClient
import PostgreSQLFixtures
import Synchronization
import Testing

@testable import Origin

/// Uploads to origins that share a database.
@Suite("Uploads to several origins", .timeLimit(.minutes(10)))
struct SharedUploadTests {
    private static func makeStorage(_ time: @escaping @Sendable () -> Date = { demoDate }) async throws -> PostgreSQLUploadStorage {
        let client = PostgreSQLClient(try PostgreSQLConfiguration(try await PostgreSQLServer.makeDatabase()))
        var migrator = PostgreSQLMigrator()
        PostgreSQLUploadStorage.registerMigrations(in: &migrator)
        try await migrator.migrate(client)
        return PostgreSQLUploadStorage(client: client, sizeLimit: 10 << 20, limits: UploadLimits(), now: time)
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

    @Test func `Of two requests that continue an upload at one offset the later one does not replace bytes`() async throws {
        let (storage, name) = (try await Self.makeStorage(), try #require(UploadName("fox.txt")))
        let record = try await storage.create(name, length: nil, preconditions: nil, for: nil)
        let late = try await storage.writer(for: record, at: 0)
        try await late.append(ByteBuffer(string: "late"))
        let writer = try await storage.writer(for: record, at: 0)
        try await writer.append(ByteBuffer(string: "first"))
        try await writer.checkpoint()

        await #expect(throws: CancellationError.self) { try await late.checkpoint() }

        #expect(try await storage.offset(of: record) == 5)
        #expect(try await storage.publish(record, length: 5) == false)
        let file = try #require(try await storage.file(name))
        #expect(try await Self.content(of: file) == Array("first".utf8))
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
        let time = Mutex(demoDate)
        let storage = try await Self.makeStorage { time.withLock { $0 } }
        let name = try #require(UploadName("fox.txt"))
        try await Self.upload([1], as: name, in: storage)
        try await Self.upload([2], as: name, in: storage)

        time.withLock { $0 += 7_200 }
        try await Self.upload([3], as: name, in: storage)

        let rows = try await storage.client.read("SELECT content FROM upload_parts ORDER BY content")
        #expect(try rows.map { try $0.value("content", as: [UInt8].self) } == [[2], [3]])
    }
}
