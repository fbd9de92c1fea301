import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerStartup
import ServiceLifecycle
import Testing

@testable import Origin

/// Tests of the link over real sockets; timing is tested with manual clocks elsewhere.
@Suite("Link conditioner", .timeLimit(.minutes(10)))
struct LinkConditionerTests {
    /// A fast, lossy link.
    private static let profile = LinkProfile(name: "test", down: 80_000, up: 80_000, roundTrip: .milliseconds(2), loss: 0.02)
    private static let data = ByteBuffer(bytes: (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })

    @Test func `Losses delay data and never change it`() async throws {
        let received = try await Socket.withServer { inbound, outbound in
            for try await _ in inbound { break }
            try await outbound.write(Self.data)
        } while: { server in
            try await withLink(to: server) { link in
                try await Socket.connected(to: link, sending: ByteBuffer(string: "?")) { inbound, _ in
                    try await Self.collect(from: inbound)
                }
            }
        }

        #expect(received == Self.data)
    }

    @Test func `A half-closed client still receives the response`() async throws {
        let echo = try await Socket.withServer { inbound, outbound in
            try await outbound.write(Self.collect(from: inbound))
        } while: { server in
            try await withLink(to: server) { link in
                try await Socket.connected(to: link, sending: Self.data) { inbound, outbound in
                    outbound.finish()
                    return try await Self.collect(from: inbound)
                }
            }
        }

        #expect(echo == Self.data)
    }

    @Test func `The server notices a client disconnect`() async throws {
        let (endings, report) = AsyncStream<Void>.makeStream()
        try await Socket.withServer { inbound, outbound in
            defer { report.yield() }
            while true { try await outbound.write(Self.data) }
        } while: { server in
            try await withLink(to: server) { link in
                try await Socket.connected(to: link, sending: ByteBuffer(string: "?")) { inbound, _ in
                    for try await _ in inbound { break }
                }
                for await _ in endings { break }
            }
        }
    }

    @Test func `Shutting down the link closes its connections`() async throws {
        let (arrivals, arrive) = AsyncStream<Void>.makeStream()
        let response = try await Socket.withServer { inbound, _ in
            for try await _ in inbound { arrive.yield() }
        } while: { server in
            try await withThrowingTaskGroup(of: ByteBuffer?.self) { clients in
                try await withLink(to: server) { link in
                    clients.addTask {
                        try await Socket.connected(to: link, sending: ByteBuffer(string: "?")) { inbound, _ in
                            try? await Self.collect(from: inbound)
                        }
                    }
                    // The server must have accepted the connection: a listener cancelled while accepting would trap.
                    for await _ in arrivals { break }
                }
                return try await clients.next() ?? nil
            }
        }

        #expect(response == ByteBuffer())
    }

    @Test func `Documents of an origin behind the link refer to the link`() async throws {
        let (list, port) = try await withRunningOrigin { origin in
            try await withLink(to: origin) { link in
                let port = try #require(link.port)
                let response = try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
                    try await client.execute(.init("/swift-concurrency/orders.plist", method: .get, authority: "127.0.0.1:\(port)"))
                }
                return (String(buffer: response.body ?? ByteBuffer()), port)
            }
        }

        #expect(list.contains("http://127.0.0.1:\(port)/swift-concurrency/order-20.xml"))
    }

    @Test func `A connection beyond the limit of a client is closed`() async throws {
        let statuses = try await withRunningOrigin(clients: ClientLimits(connections: nil)) { origin in
            try await withLink(to: origin, clients: ClientLimits(connections: 1)) { try await TestClient.statusesOfTwo(at: $0) }
        }

        #expect(statuses == [.ok, nil])
    }

    @Test func `A port in use is an error with a remedy, unless any port will do`() async throws {
        try await withRunningOrigin { origin in
            let taken = ListenAddress(port: try #require(origin.port))
            let error = await #expect(throws: OriginError.self) {
                try await LinkConditioner(Self.profile, to: origin, listeningOn: taken).run()
            }
            #expect(error?.description.hasPrefix("Port \(taken.port) on 127.0.0.1 is in use") == true)

            let other = try await withLink(to: origin, listeningOn: taken, isPortOptional: true) { $0.port }
            #expect(other != taken.port)
        }
    }

    /// Runs a link on a free port while a test uses it, then shuts it down gracefully.
    private func withLink<Value: Sendable>(
        to server: URL, listeningOn address: ListenAddress = ListenAddress(port: 0), isPortOptional: Bool = false,
        clients: ClientLimits = ClientLimits(), _ test: (URL) async throws -> Value
    ) async throws -> Value {
        let (addresses, listening) = AsyncStream.makeStream(of: URL.self)
        let link = LinkConditioner(
            Self.profile, to: server, listeningOn: address, isPortOptional: isPortOptional, clients: clients
        ) { listening.yield($0) }
        return try await link.run(while: test, addresses: addresses)
    }

    private static func collect(from inbound: NIOAsyncChannelInboundStream<ByteBuffer>) async throws -> ByteBuffer {
        var all = ByteBuffer()
        for try await bytes in inbound { all.writeImmutableBuffer(bytes) }
        return all
    }
}
