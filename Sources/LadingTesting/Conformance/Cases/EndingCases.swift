import HTTPTypes
import LadingHTTP

extension ExecutorConformance.Case {
    private static let half = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello")
    private static let endless: [ScriptedServer.Step] = [
        .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .sendAgain(Array("10000\r\n\(String(repeating: "x", count: 65_536))\r\n".utf8), times: .max),
    ]

    private static let headBegun = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nConte")

    /// Servers that fall silent.
    static let silence = [
        silence("A head that does not arrive in time is given up", after: [], timeLimit: .milliseconds(300)),
        silence("A server that falls silent before the head is given up", after: [], silenceLimit: .milliseconds(300)),
        silence("A server that falls silent in the head is given up", after: [headBegun], silenceLimit: .milliseconds(300)),
        silence("A server that falls silent in the body is given up", after: [half], silenceLimit: .milliseconds(300)),
    ]

    /// The limit that struck is named, and the connection closed.
    private static func silence(
        _ name: String, after steps: [ScriptedServer.Step], timeLimit: Duration = Trial.timeLimit,
        silenceLimit: Duration = .seconds(60)
    ) -> Self {
        Self(name, silenceLimit: silenceLimit) { trial in
            let server = try trial.server { _ in steps }

            do {
                _ = try await trial.reply(from: server, timeLimit: timeLimit)
                trial.expect(false, "a reply out of nothing")
            } catch {
                trial.expectEqual(FailureKind(error), .timedOut)
                trial.expectEqual((error as? BackendError)?.limit, min(timeLimit, silenceLimit), "the limit named")
            }

            try await trial.expectClosing(server)
        }
    }

    private static func cancelling(_ place: String, after steps: [ScriptedServer.Step]) -> Self {
        Self("Cancelling \(place) closes the connection") { trial in
            let server = try trial.server { _ in steps }
            let exchange = Task { try await trial.reply(from: server) }
            try await server.until { !$0.requests.isEmpty }

            exchange.cancel()

            try await trial.expectClosing(server)
            await trial.expectFailure(.cancelled) { try await exchange.value }
        }
    }

    /// Exchanges that are ended from this side.
    static let endings =
        [
            cancelling("before the head", after: []), cancelling("in the head", after: [headBegun]),
            cancelling("in a body", after: [half]), cancelling("in a flood", after: endless),
            Self("Cancelling while a chunk is awaited ends the wait") { trial in
                let server = try trial.server(half)
                let gate = Gate()
                let exchange = Task {
                    try await trial.executor.execute(RequestMessage(url: server.url()), timeLimit: Trial.timeLimit) { _, body in
                        for try await _ in body { gate.open() }
                    }
                }
                try await gate.pass()

                exchange.cancel()

                try await trial.expectClosing(server)
                await trial.expectFailure(.cancelled) { try await exchange.value }
            },
            Self("Returning before the end of the body closes the connection") { trial in
                let server = try trial.server { _ in endless }

                let status = try await trial.executor.execute(RequestMessage(url: server.url()), timeLimit: Trial.timeLimit) { head, _ in
                    head.status
                }

                trial.expectEqual(status.code, 200)
                try await trial.expectClosing(server)
            },
            Self("Throwing in the middle of the body closes the connection") { trial in
                struct Enough: Error {}
                let server = try trial.server { _ in endless }

                do {
                    try await trial.executor.execute(RequestMessage(url: server.url()), timeLimit: Trial.timeLimit) { _, body in
                        for try await _ in body { throw Enough() }
                    }
                    trial.expect(false, "nothing was thrown")
                } catch {
                    trial.expect(error is Enough, "\(error) was thrown")
                }

                try await trial.expectClosing(server)
            },
            Self("A client gives up a body beyond its bound") { trial in
                let server = try trial.server { _ in endless }

                await trial.expectFailure(.bodyTooLarge) {
                    try await BackendClient(executor: trial.executor)
                        .reply(to: RequestMessage(url: server.url()), within: ReplyBounds(bodySize: 1 << 20))
                }

                try await trial.expectClosing(server)
            },
        ]
}

extension BackendError {
    /// The limit that struck.
    fileprivate var limit: Duration? {
        if case .timedOut(_, let limit) = self { limit } else { nil }
    }
}
