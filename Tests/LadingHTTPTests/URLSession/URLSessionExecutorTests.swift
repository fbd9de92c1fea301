import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import ScriptedServers
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSessionTests {
    /// The behaviour of URLSession beyond the contract of all executors.
    @Suite struct Executor {
        private let clock = ManualClock()
        private let privateAddress = IPAddress.v4(0x7F00_0001)
        private let publicAddress = IPAddress.v4(0x0101_0101)

        /// Runs a server for the duration of a body.
        private func withServer(
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

        @Test func `The executor uses the clock it is given`() async throws {
            try await withServer { server in
                let executor = URLSessionExecutor(readTimeout: .seconds(10), clock: clock)
                let exchange = Task { try await read(RequestMessage(url: server.url()), through: executor) }
                try await server.wait { !$0.requests.isEmpty }
                _ = await clock.nextTimer()

                clock.advance(by: .seconds(10))

                await #expect { try await exchange.value } throws: { error in
                    if case BackendError.timedOut(_, after: .seconds(10)) = error { true } else { false }
                }
            }
        }

        @Test func `The time to prepare a body is no silence of the server`() async throws {
            try await withServer(.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) { server in
                let executor = URLSessionExecutor(readTimeout: .seconds(10), clock: clock)
                let body = RequestBody.stream { [clock] in
                    clock.advance(by: .seconds(11))
                    return Chunks("a", "b")
                }

                let length = try await read(RequestMessage(method: .put, url: server.url(), body: body), through: executor)

                #expect(length == 2)
            }
        }

        @Test func `An app changes the configuration of the session, but not the settings of the executor`() async throws {
            try await withServer(.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a=1\r\n\r\nok")) { server in
                let executor = URLSessionExecutor { configuration in
                    configuration.httpAdditionalHeaders = ["X-App": "books"]
                    configuration.httpCookieStorage = .shared
                    configuration.httpCookieAcceptPolicy = .always
                    configuration.httpShouldSetCookies = true
                }

                for _ in 1...2 { _ = try await read(RequestMessage(url: server.url()), through: executor) }

                #expect(server.log.requests.map { $0["X-App"] } == ["books", "books"])
                #expect(server.log.requests.map { $0["Cookie"] } == [nil, nil])
            }
        }

        @Test func `A body with GET is refused before anything is sent`() async throws {
            try await withServer(.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) { server in
                let (executor, bodies) = (URLSessionExecutor(), [[1], .stream { Chunks("a") }] as [RequestBody])

                for body in bodies {
                    await #expect(throws: RequestBodyError.unsupportedMethod("GET")) {
                        try await read(RequestMessage(url: server.url(), body: body), through: executor)
                    }
                }
                #expect(server.log.connections == 0)
            }
        }

        @Test func `A host with one private address among its addresses is refused`() async throws {
            try await withServer(.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) { server in
                let executor = URLSessionExecutor(
                    resolver: HostResolver { [publicAddress, privateAddress] _ in [publicAddress, privateAddress] })

                await #expect { try await read(RequestMessage(url: server.url(), addressPolicy: .publicOnly), through: executor) } throws: {
                    error in
                    if case BackendError.policyViolation(_, .privateAddress) = error { true } else { false }
                }
                #expect(server.log.connections == 0)
            }
        }

        @Test func `A change of address after the check is not detected`() async throws {
            try await withServer(.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) { server in
                let executor = URLSessionExecutor(resolver: HostResolver { [publicAddress] _ in [publicAddress] })

                let count = try await read(
                    RequestMessage(url: server.url(host: "localhost"), addressPolicy: .publicOnly), through: executor)

                #expect(count == 2)
            }
        }

        @Test func `A host name without an address is unreachable`() async throws {
            struct NoSuchName: Error {}
            let executor = URLSessionExecutor(resolver: HostResolver { _ in throw NoSuchName() })
            let message = RequestMessage(url: try #require(URL(string: "http://nowhere.example/")), addressPolicy: .publicOnly)

            await #expect { try await read(message, through: executor) } throws: { error in
                if case BackendError.unreachable(_, let cause) = error { cause is NoSuchName } else { false }
            }
        }

        @Test func `Resolving a host name is limited by the time for the head`() async throws {
            let executor = URLSessionExecutor(
                clock: clock,
                resolver: HostResolver { _ in
                    try await Gate().wait()
                    return []
                })
            let message = RequestMessage(url: try #require(URL(string: "http://nowhere.example/")), addressPolicy: .publicOnly)
            let exchange = Task { try await read(message, through: executor) }
            _ = await clock.nextTimer()

            clock.advance(by: .seconds(30))

            await #expect { try await exchange.value } throws: { error in
                if case BackendError.timedOut(_, after: .seconds(30)) = error { true } else { false }
            }
        }

        #if canImport(FoundationNetworking)
            @Test func `A stream is sent from its beginning again when a reused connection was closed`() async throws {
                let uploads = ObservableValue(0)
                let server = try ScriptedServer { request in
                    if request.method == "PUT" { uploads.change { $0 += 1 } }
                    return uploads.value == 1 ? [.close] : [.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]
                }
                defer { server.stop() }
                let executor = URLSessionExecutor(connectionsPerHost: 1)
                _ = try await read(RequestMessage(url: server.url()), through: executor)

                let sent = ObservableValue(0)
                let body = RequestBody.stream { Chunks("ab", "c") }.reportingSentBytes { count in sent.change { $0 = max($0, count) } }
                _ = try await read(RequestMessage(method: .put, url: server.url(), body: body), through: executor)

                #expect(server.log.requests.map(\.body) == [[], Array("abc".utf8), Array("abc".utf8)])
                #expect(sent.value == 3)
            }

            @Test func `A response that exceeds the buffer limit fails where the sender cannot be slowed down`() async throws {
                let body = [UInt8](repeating: 7, count: 50_000)
                try await withServer(.send("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n"), .send(body)) { server in
                    let executor = URLSessionExecutor(bufferLimit: 1_000)

                    await #expect { try await read(RequestMessage(url: server.url()), through: executor) } throws: { error in
                        if case BackendError.bufferLimitExceeded(_, limit: 1_000) = error { true } else { false }
                    }
                    try await server.wait { $0.closedByClient == 1 }
                }
            }
        #endif
    }
}
