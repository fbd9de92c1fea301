import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerStartup
import ServiceLifecycle
import TemporaryFolders
import Testing

@testable import Origin

@Suite("Origin server")
struct OriginServerTests {
    @Test func `The server reports the bound port and responds there`() async throws {
        let text = try await withRunningOrigin { address in
            #expect(address.host() == "127.0.0.1")
            return try await withClient(of: address) { client in
                let response = try await client.send(.get, "/swift-concurrency/items.plist")
                #expect(response.headers[.date] != nil)
                return String(buffer: response.body ?? ByteBuffer())
            }
        }

        #expect(text.contains("/swift-concurrency/item-1.xml</string>"))
    }

    @Test func `HEAD and 304 responses leave the connection usable`() async throws {
        try await withRunningOrigin { address in
            try await withClient(of: address) { client in
                let head = try await client.send(.head, "/swift-concurrency/order-1.xml")
                let length = try #require(head.headers[.contentLength])
                let missing = try await client.send(.head, "/nothing")
                let tag = try #require(head.headers[.eTag])
                let same = try await client.send(.get, "/swift-concurrency/order-1.xml", headers: [.ifNoneMatch: tag])
                let full = try await client.send(.get, "/swift-concurrency/order-1.xml")

                #expect(missing.status == .notFound)
                #expect(same.status == .notModified)
                #expect(same.headers[.contentLength] == nil)
                #expect(full.body.map { String($0.readableBytes) } == length)
            }
        }
    }

    @Test(arguments: [(1, 1), (2, 2), (nil, 2)])
    func `A connection beyond the limit of a client is closed`(limit: Int?, answered: Int) async throws {
        let statuses = try await withRunningOrigin(clients: ClientLimits(connections: limit)) { address in
            try await TestClient.statusesOfTwo(at: address)
        }

        #expect(statuses.count { $0 == .ok } == answered)
    }

    @Test func `A port in use is an error with a remedy`() async throws {
        try await withRunningOrigin { address in
            let port = try #require(address.port)
            let second = try await makeOrigin(port: port)

            let error = await #expect(throws: OriginError.self) { try await second.run() }

            #expect(error?.description.hasPrefix("Port \(port) on 127.0.0.1 is in use") == true)
        }
    }

    @Test func `An optional port in use is replaced by a free one`() async throws {
        try await withRunningOrigin { taken in
            let second = try await RunningOrigin(port: try #require(taken.port), isPortOptional: true)

            try await second.run { address in
                #expect(address.port != taken.port)
                let status = try await withClient(of: address) { try await $0.send(.get, "/health").status }
                #expect(status == .ok)
            }
        }
    }

    @Test func `A data directory that is locked is refused`() async throws {
        let directory = try TemporaryFolder()
        try await withRunningOrigin(storage: .directory(directory.url)) { _ in
            let error = await #expect(throws: OriginError.self) {
                try await makeOrigin(storage: .directory(directory.url))
            }

            #expect(error?.description.contains("is in use by process") == true)
        }
    }

    @Test func `After a restart it serves the same bytes under the same tags`() async throws {
        let directory = try TemporaryFolder()
        let fetchOrder: @Sendable (URL) async throws -> [String?] = { address in
            try await withClient(of: address) { client in
                let response = try await client.send(.get, "/swift-concurrency/order-7.xml")
                return [response.body.map { String(buffer: $0) }, response.headers[.eTag], response.headers[.lastModified]]
            }
        }

        let before = try await withRunningOrigin(storage: .directory(directory.url), fetchOrder)
        let after = try await withRunningOrigin(storage: .directory(directory.url), fetchOrder)

        #expect(before == after)
        #expect(before.allSatisfy { $0 != nil })
    }

    @Test(.timeLimit(.minutes(10)))
    func `A client that stays connected does not delay the shutdown`() async throws {
        let client = try await withRunningOrigin { address in
            let client = TestClient(host: "127.0.0.1", port: try #require(address.port))
            client.connect()
            _ = try await client.send(.get, "/health")
            return client
        }

        await #expect(throws: (any Error).self) { try await client.send(.get, "/health") }

        try await client.shutdown()
    }

    @Test(.timeLimit(.minutes(10)))
    func `A client that stops reading does not delay a shutdown that has a limit`() async throws {
        let directory = try TemporaryFolder()
        let files = directory.url.appending(path: "uploads/files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try Data(count: 64 << 20).write(to: files.appending(path: "large"))
        let (addresses, listening) = AsyncStream.makeStream(of: URL.self)
        let origin = try await makeOrigin(storage: .directory(directory.url), onListening: { listening.yield($0) })
        var configuration = ServiceGroupConfiguration(services: [origin], logger: silentLogger)
        configuration.maximumGracefulShutdownDuration = Duration.milliseconds(10)
        let group = ServiceGroup(configuration: configuration)
        let running = Task { try await group.run() }
        defer { running.cancel() }
        let address = try #require(await addresses.first(where: { _ in true }))

        let request = ByteBuffer(string: "GET /uploads/large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try await Socket.connected(to: address, sending: request) { inbound, _ in
            for try await _ in inbound { break }
            await group.triggerGracefulShutdown()
            try await running.value
        }
    }

    @Test(arguments: ["203.0.113.1", "no-such-host.invalid"])
    func `An address of no interface here is an error with a remedy`(host: String) async throws {
        let origin = try await makeOrigin(host: host)

        let error = await #expect(throws: OriginError.self) { try await origin.run() }

        #expect(error?.description.hasPrefix("Cannot listen on \(host)") == true)
        #expect(error?.description.contains("--host") == true)
    }

    @Test(arguments: [-1, 250_001])
    func `An order count out of range is refused`(orders: Int) async throws {
        let error = await #expect(throws: OriginError.self) { try await makeOrigin(orders: orders) }

        #expect(error?.description == "--orders must be from 0 to 250000, not \(orders).")
    }

    @Test(arguments: [-1, 65_536])
    func `A port that does not exist is refused`(port: Int) async throws {
        let error = await #expect(throws: OriginError.self) { try await makeOrigin(port: port) }

        #expect(error?.description == "--port must be from 0 to 65535, not \(port).")
    }

    private func withClient<Value: Sendable>(
        of address: URL,
        _ test: @escaping @Sendable (TestClient) async throws -> Value
    ) async throws -> Value {
        try await TestClient.withClient(host: "127.0.0.1", port: try #require(address.port), operation: test)
    }
}

extension TestClient {
    fileprivate func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:]
    ) async throws -> TestClient.Response {
        try await execute(.init(path, method: method, authority: "localhost", headers: headers))
    }
}
