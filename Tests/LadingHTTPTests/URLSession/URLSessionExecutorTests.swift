import Foundation
import LadingHTTP
import LadingTesting
import Testing

extension URLSessionTests {
    /// What is URLSession's own, beyond the contract of all executors.
    @Suite struct Executor {
        private let clock = ManualClock()
        private let near = IPAddress.v4(0x7F00_0001)
        private let far = IPAddress.v4(0x0101_0101)

        /// Serves while a body runs.
        private func with(
            _ steps: ScriptedServer.Step..., do body: (ScriptedServer) async throws -> Void
        ) async throws {
            let server = try ScriptedServer { _ in steps }
            defer { server.stop() }
            try await body(server)
        }

        private func read(_ message: RequestMessage, through executor: URLSessionExecutor) async throws -> Int {
            try await executor.execute(message, timeLimit: .seconds(30)) { _, body in
                var count = 0
                for try await chunk in body { count += chunk.count }
                return count
            }
        }

        @Test func `Its clock is the one it was given`() async throws {
            try await with { server in
                let executor = URLSessionExecutor(silenceLimit: .seconds(10), clock: clock)
                let exchange = Task { try await read(RequestMessage(url: server.url()), through: executor) }
                try await server.until { !$0.requests.isEmpty }
                _ = await clock.nextTimer()

                clock.advance(by: .seconds(10))

                await #expect { try await exchange.value } throws: { error in
                    if case BackendError.timedOut(_, after: .seconds(10)) = error { true } else { false }
                }
            }
        }

        @Test func `One private address among those of a name is enough to refuse it`() async throws {
            try await with(.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) { server in
                let executor = URLSessionExecutor(resolver: HostResolver { [far, near] _ in [far, near] })

                await #expect { try await read(RequestMessage(url: server.url(), reach: .publicOnly), through: executor) } throws: {
                    error in
                    if case BackendError.refused(_, .privateAddress) = error { true } else { false }
                }
                #expect(server.seen.connections == 0)
            }
        }

        @Test func `A name that moves once it was judged is not noticed`() async throws {
            try await with(.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) { server in
                let executor = URLSessionExecutor(resolver: HostResolver { [far] _ in [far] })

                let count = try await read(RequestMessage(url: server.url(host: "localhost"), reach: .publicOnly), through: executor)

                #expect(count == 2)
            }
        }

        @Test func `A name without an address cannot be reached`() async throws {
            struct NoSuchName: Error {}
            let executor = URLSessionExecutor(resolver: HostResolver { _ in throw NoSuchName() })
            let message = RequestMessage(url: try #require(URL(string: "http://nowhere.example/")), reach: .publicOnly)

            await #expect { try await read(message, through: executor) } throws: { error in
                if case BackendError.unreachable(_, let cause) = error { cause is NoSuchName } else { false }
            }
        }

        @Test func `Looking up a name takes no longer than a head may`() async throws {
            let executor = URLSessionExecutor(
                clock: clock,
                resolver: HostResolver { _ in
                    try await Gate().pass()
                    return []
                })
            let message = RequestMessage(url: try #require(URL(string: "http://nowhere.example/")), reach: .publicOnly)
            let exchange = Task { try await read(message, through: executor) }
            _ = await clock.nextTimer()

            clock.advance(by: .seconds(30))

            await #expect { try await exchange.value } throws: { error in
                if case BackendError.timedOut(_, after: .seconds(30)) = error { true } else { false }
            }
        }

        #if canImport(FoundationNetworking)
            @Test func `More than may lie unread is given up where the sender cannot be slowed down`() async throws {
                let body = [UInt8](repeating: 7, count: 50_000)
                try await with(.send("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n"), .send(body)) { server in
                    let executor = URLSessionExecutor(unreadLimit: 1_000)

                    await #expect { try await read(RequestMessage(url: server.url()), through: executor) } throws: { error in
                        if case BackendError.overrun(_, limit: 1_000) = error { true } else { false }
                    }
                    try await server.until { $0.closedByClient == 1 }
                }
            }
        #endif
    }
}
