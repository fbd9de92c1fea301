import HTTPTypes
import LadingHTTP
import LadingTesting
import ScriptedServers
import Synchronization

extension ExecutorConformance.Case {
    private static let partialResponse = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello")
    private static let unboundedHead = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    private static let chunk = Array("10000\r\n\(String(repeating: "x", count: 65_536))\r\n".utf8)

    /// Returns a response without an end, which is sent more slowly than any client reads.
    private static func unboundedResponse() -> [ScriptedServer.Step] {
        let isIdle = Mutex(true)
        return [
            unboundedHead,
            .sendStream(
                ScriptedServer.ByteSource {
                    let isIdle = isIdle.withLock { isIdle in
                        isIdle.toggle()
                        return isIdle
                    }
                    return isIdle ? .idle : .bytes(chunk)
                }),
        ]
    }

    private static let partialHead = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nConte")

    /// Servers that stop sending.
    static let timeouts = [
        timeout("A head that does not arrive in time is a timeout", after: [], timeLimit: .milliseconds(300)),
        timeout("A server that is silent before the head is a timeout", after: [], readTimeout: .milliseconds(300)),
        timeout("A server that is silent in the head is a timeout", after: [partialHead], readTimeout: .milliseconds(300)),
        timeout("A server that is silent in the body is a timeout", after: [partialResponse], readTimeout: .milliseconds(300)),
    ]

    /// Returns a case in which the error names the exceeded limit, and the connection is closed.
    private static func timeout(
        _ name: String, after steps: [ScriptedServer.Step], timeLimit: Duration = ExecutorTestContext.timeLimit,
        readTimeout: Duration = .seconds(60)
    ) -> Self {
        Self(name, readTimeout: readTimeout) { trial in
            let server = try trial.server { _ in steps }

            do {
                _ = try await trial.response(from: server, timeLimit: timeLimit)
                trial.expect(false, "a response without a server response")
            } catch {
                trial.expectEqual(FailureKind(error), .timedOut)
                trial.expectEqual((error as? BackendError)?.limit, min(timeLimit, readTimeout), "the limit named")
            }

            try await trial.expectClientClose(from: server)
        }
    }

    private static func cancellation(
        _ place: String, capabilities: Set<ExecutorConformance.Capability> = [],
        after steps: @escaping @Sendable () -> [ScriptedServer.Step]
    ) -> Self {
        Self("Cancelling \(place) closes the connection", capabilities: capabilities) { trial in
            let server = try trial.server { _ in steps() }
            let exchange = Task { try await trial.response(from: server) }
            try await server.wait { !$0.requests.isEmpty }

            exchange.cancel()

            try await trial.expectClientClose(from: server)
            await trial.expectFailure(.cancelled) { try await exchange.value }
        }
    }

    /// Exchanges that the client ends.
    static let cancellations =
        [
            cancellation("before the head") { [] },
            cancellation("in the head") { [partialHead] },
            cancellation("in a body") { [partialResponse] },
            cancellation("in a body without an end", after: unboundedResponse),
            cancellation("in a flood", capabilities: [.immediateCancellation]) {
                [unboundedHead, .sendRepeating(chunk, times: .max)]
            },
            Self("Cancelling while a chunk is awaited ends the wait") { trial in
                let server = try trial.server(partialResponse)
                let gate = Gate()
                let exchange = Task {
                    try await trial.executor.execute(RequestMessage(url: server.url()), timeLimit: ExecutorTestContext.timeLimit) {
                        _, body in
                        for try await _ in body { gate.open() }
                    }
                }
                try await gate.wait()

                exchange.cancel()

                try await trial.expectClientClose(from: server)
                await trial.expectFailure(.cancelled) { try await exchange.value }
            },
            Self("Returning before the end of the body closes the connection") { trial in
                let server = try trial.server { _ in unboundedResponse() }

                let status = try await trial.executor.execute(RequestMessage(url: server.url()), timeLimit: ExecutorTestContext.timeLimit) {
                    head, _ in
                    head.status
                }

                trial.expectEqual(status.code, 200)
                try await trial.expectClientClose(from: server)
            },
            Self("Throwing in the middle of the body closes the connection") { trial in
                struct TestError: Error {}
                let server = try trial.server { _ in unboundedResponse() }

                do {
                    try await trial.executor.execute(RequestMessage(url: server.url()), timeLimit: ExecutorTestContext.timeLimit) {
                        _, body in
                        for try await _ in body { throw TestError() }
                    }
                    trial.expect(false, "nothing was thrown")
                } catch {
                    trial.expect(error is TestError, "\(error) was thrown")
                }

                try await trial.expectClientClose(from: server)
            },
            Self("A client aborts a body beyond its size limit") { trial in
                let server = try trial.server { _ in unboundedResponse() }

                await trial.expectFailure(.bodyTooLarge) {
                    try await BackendClient(executor: trial.executor)
                        .response(to: RequestMessage(url: server.url()), within: ResponseLimits(bodySize: 1 << 20))
                }

                try await trial.expectClientClose(from: server)
            },
        ]
}

extension BackendError {
    /// The exceeded limit.
    fileprivate var limit: Duration? {
        if case .timedOut(_, let limit) = self { limit } else { nil }
    }
}
