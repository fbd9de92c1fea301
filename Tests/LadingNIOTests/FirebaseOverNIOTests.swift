import Foundation
import LadingFirebase
import LadingFirebaseTesting
import LadingHTTP
import LadingNIO
import Testing

/// The Firebase clients with an executor over SwiftNIO.
@Suite struct FirebaseOverNIOTests {
    private static let email = "ada@example.org"
    private static let password = "secret words"

    /// A project with a signed-in user.
    private struct Fixture {
        let server: FirebaseServer
        let database: RealtimeDatabase
        let storage: FirebaseStorage
    }

    private func withSignedInFixture(_ use: (Fixture) async throws -> Void) async throws {
        let server = try FirebaseServer { Date(timeIntervalSince1970: 1_000_000_000) }
        defer { server.stop() }
        server.addUser(Self.email, password: Self.password)
        let executor = AsyncHTTPClientExecutor(readTimeout: .seconds(600))
        let client = BackendClient(executor: executor)
        let authentication = FirebaseAuthentication(
            server.project, client: client, now: { Date(timeIntervalSince1970: 1_000_000_000) }, onChange: { _ in })
        let fixture = Fixture(
            server: server, database: RealtimeDatabase(server.project, client: client, authentication: authentication),
            storage: FirebaseStorage(server.project, client: client, authentication: authentication))
        do {
            try await authentication.signIn(email: Self.email, password: Self.password)
            try await use(fixture)
            try await executor.shutdown()
        } catch {
            try await executor.shutdown()
            throw error
        }
    }

    @Test func `A database stream reports the writes of other clients`() async throws {
        try await withSignedInFixture { fixture in
            let orders = try fixture.database.reference("orders")
            fixture.server.write(["a": ["title": "Milk"]], at: "orders")
            var events = orders.events().makeAsyncIterator()

            #expect(try await events.next() == .put([], ["a": ["title": "Milk"]]))
            try await orders.child("a").patch(["price": 2])
            #expect(try await events.next() == .patch(["a"], ["price": 2]))
            fixture.server.sendKeepAlive()
            #expect(try await events.next() == .keepAlive)
            try await orders.delete()
            #expect(try await events.next() == .put([], .null))
        }
    }

    @Test func `A stream is closed when its reader stops`() async throws {
        try await withSignedInFixture { fixture in
            for try await _ in try fixture.database.reference("orders").events() { break }

            try await fixture.server.waitForStreams(0)
        }
    }

    @Test func `An interrupted upload completes, and the downloaded file is identical`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, target) = (folder.appending(path: "source.jpg"), folder.appending(path: "target.jpg"))
        let bytes = Data((0..<1_200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try bytes.write(to: source)

        try await withSignedInFixture { fixture in
            let photo = try fixture.storage.reference("receipts/4711 Süd+?.jpg")
            fixture.server.interruptUpload(atPart: 2)
            let metadata = try await photo.upload(source)
            try await photo.download(to: target)

            #expect(metadata.size == bytes.count)
        }

        #expect(try Data(contentsOf: target) == bytes)
    }
}
