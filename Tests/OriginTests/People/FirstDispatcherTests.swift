import Foundation
import TemporaryFolders
import Testing

@testable import Origin

@Suite("The first dispatcher") struct FirstDispatcherTests {
    /// Runs an origin, and returns the secret of the link that it makes as soon as it listens.
    private func start(in directory: URL) async throws -> String? {
        let (addresses, listening) = AsyncStream.makeStream(of: URL.self)
        let server = try await makeOrigin(storage: .directory(directory), onListening: { listening.yield($0) })
        return try await server.run(while: { _ in try await server.addFirstDispatcher() }, addresses: addresses)
    }

    private func names(in directory: URL) async throws -> [String?] {
        let people = try await OriginPeople(in: .directory(directory))
        let names = try await people.list().map(\.name)
        try await people.close()
        return names
    }

    @Test func `The first start makes a link, and later ones make none`() async throws {
        let folder = try TemporaryFolder()

        let secrets = [try await start(in: folder.url), try await start(in: folder.url)]

        #expect(secrets[0]?.isEmpty == false && secrets[1] == nil)
        #expect(try await names(in: folder.url) == ["Dispatcher"])
    }

    @Test func `A start that fails leaves the link to the next one`() async throws {
        let folder = try TemporaryFolder()
        try await withRunningOrigin { address in
            let failing = try await makeOrigin(port: try #require(address.port), storage: .directory(folder.url))
            await #expect(throws: OriginError.self) { try await failing.run() }
        }

        #expect(try await names(in: folder.url) == [])
        #expect(try await start(in: folder.url) != nil)
    }

    @Test func `Orders that have people get no further dispatcher`() async throws {
        let folder = try TemporaryFolder()
        let people = try await OriginPeople(in: .directory(folder.url), createsDatabase: true)
        _ = try await people.add("Mina", isDispatcher: false)
        try await people.close()

        #expect(try await start(in: folder.url) == nil)
        #expect(try await makeOrigin().addFirstDispatcher() == nil)
    }
}
