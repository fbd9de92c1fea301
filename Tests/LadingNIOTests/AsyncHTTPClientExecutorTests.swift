import Foundation
import HTTPTypes
import LadingHTTP
import LadingNIO
import Testing

/// The executor over real sockets, against a server that may do anything.
@Suite struct AsyncHTTPClientExecutorTests {
    private static let small = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"

    /// Runs a body with a server and a client, and takes both down again.
    private func with<Outcome>(
        _ behaviour: RawServer.Behaviour, silenceLimit: Duration = .seconds(10),
        _ body: (BackendClient, RawServer) async throws -> Outcome
    ) async throws -> Outcome {
        let server = try await RawServer(behaviour)
        let executor = AsyncHTTPClientExecutor(silenceLimit: silenceLimit)
        do {
            let outcome = try await body(BackendClient(executor: executor), server)
            try await executor.shutdown()
            try await server.stop()
            return outcome
        } catch {
            try await executor.shutdown()
            try await server.stop()
            throw error
        }
    }

    @Test func `A reply arrives with status, header fields and body`() async throws {
        let reply = try await with(.send(Self.small)) { client, server in
            try await client.reply(to: RequestMessage(url: server.url))
        }

        #expect(reply.status == .ok)
        #expect(reply.headers[.contentType] == "text/plain")
        #expect(reply.body == Array("hello".utf8))
    }

    @Test func `A status is reported, whatever it is`() async throws {
        let reply = try await with(.send("HTTP/1.1 418 Teapot\r\nContent-Length: 0\r\n\r\n")) { client, server in
            try await client.reply(to: RequestMessage(url: server.url))
        }

        #expect(reply.status.code == 418)
    }

    @Test func `A body that ends before its length is interrupted`() async throws {
        let cut = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello"

        await #expect { try await reply(.sendAndClose(cut)) } throws: { $0.isInterrupted }
    }

    @Test func `A chunked body without its end is interrupted`() async throws {
        let cut = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"

        await #expect { try await reply(.sendAndClose(cut)) } throws: { $0.isInterrupted }
    }

    @Test func `A server that hangs up without a word interrupts`() async throws {
        await #expect { try await reply(.sendAndClose("")) } throws: { $0.isInterrupted }
    }

    @Test func `What is no HTTP is malformed`() async throws {
        await #expect { try await reply(.sendAndClose("220 mail.example.org ESMTP\r\n")) } throws: { error in
            if case BackendError.malformedReply = error { true } else { false }
        }
    }

    @Test func `A port where nobody listens cannot be reached`() async throws {
        let url = try await with(.silence) { _, server in server.url }

        await #expect {
            try await with(.silence) { client, _ in try await client.reply(to: RequestMessage(url: url)) }
        } throws: { error in
            if case BackendError.unreachable = error { true } else { false }
        }
    }

    @Test func `A server that never answers is given up in time`() async throws {
        await #expect {
            try await with(.silence) { client, server in
                try await client.reply(to: RequestMessage(url: server.url), within: ReplyBounds(time: .milliseconds(200)))
            }
        } throws: { $0.isTimeout }
    }

    @Test func `A server that falls silent in the middle of the body is given up in time`() async throws {
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello"

        await #expect {
            try await with(.send(half), silenceLimit: .milliseconds(200)) { client, server in
                try await client.reply(to: RequestMessage(url: server.url))
            }
        } throws: { $0.isTimeout }
    }

    @Test func `Redirects are not followed by the executor`() async throws {
        let server = try await RawServer(.send("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"))
        let executor = AsyncHTTPClientExecutor()

        let status = try await executor.execute(RequestMessage(url: server.url), timeLimit: .seconds(5)) { head, _ in head.status }

        #expect(status == .found)
        try await executor.shutdown()
        try await server.stop()
    }

    @Test func `Cancelling closes the connection`() async throws {
        try await with(.silence) { client, server in
            let exchange = Task { try await client.reply(to: RequestMessage(url: server.url)) }
            await server.requestReceived()

            exchange.cancel()

            await server.connectionClosed()
            await #expect(throws: CancellationError.self) { try await exchange.value }
        }
    }

    @Test func `Cancelling in the middle of a body closes the connection`() async throws {
        try await with(.sendForever) { client, server in
            let exchange = Task {
                try await client.reply(to: RequestMessage(url: server.url), within: ReplyBounds(bodySize: .max))
            }
            await server.requestReceived()

            exchange.cancel()

            await server.connectionClosed()
            await #expect(throws: CancellationError.self) { try await exchange.value }
        }
    }

    @Test func `A body beyond the bound is given up, and its connection is closed`() async throws {
        try await with(.sendForever) { client, server in
            await #expect { try await client.reply(to: RequestMessage(url: server.url)) } throws: { error in
                if case BackendError.bodyTooLarge = error { true } else { false }
            }

            await server.connectionClosed()
            #expect(server.bytesSent < 64 << 20)
        }
    }

    private func reply(_ behaviour: RawServer.Behaviour) async throws -> BackendReply {
        try await with(behaviour) { client, server in try await client.reply(to: RequestMessage(url: server.url)) }
    }
}

extension Error {
    fileprivate var isInterrupted: Bool {
        if case .interrupted? = self as? BackendError { true } else { false }
    }

    fileprivate var isTimeout: Bool {
        if case .timedOut? = self as? BackendError { true } else { false }
    }
}
