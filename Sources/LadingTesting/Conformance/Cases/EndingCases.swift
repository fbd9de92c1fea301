import HTTPTypes
import LadingHTTP

extension ExecutorConformance.Case {
    private static let half = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello")
    private static let endless: [ScriptedServer.Step] = [
        .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .sendAgain(Array("10000\r\n\(String(repeating: "x", count: 65_536))\r\n".utf8), times: .max),
    ]

    /// Servers that fall silent: the limit that struck is named, and the connection closed.
    static let silence =
        [
            Self("A head that does not arrive in time is given up") { trial in
                let server = try trial.server()
                let limit = Duration.milliseconds(300)

                do {
                    _ = try await trial.reply(from: server, timeLimit: limit)
                    trial.expect(false, "a reply out of nothing")
                } catch {
                    trial.expectEqual(FailureKind(error), .timedOut)
                    trial.expectEqual((error as? BackendError)?.limit, limit, "the limit named")
                }

                try await trial.expectClosing(server)
            }
        ] + silences(before: [], "before the head") + silences(before: [.send("HTTP/1.1 200 OK\r\nConte")], "in the head")
        + silences(before: [half], "in the body")

    private static func silences(before steps: [ScriptedServer.Step], _ place: String) -> [Self] {
        let limit = Duration.milliseconds(300)
        return [
            Self("A server that falls silent \(place) is given up", silenceLimit: limit) { trial in
                let server = try trial.server { _ in steps }

                do {
                    _ = try await trial.reply(from: server)
                    trial.expect(false, "a reply out of nothing")
                } catch {
                    trial.expectEqual(FailureKind(error), .timedOut)
                    trial.expectEqual((error as? BackendError)?.limit, limit, "the limit named")
                }

                try await trial.expectClosing(server)
            }
        ]
    }

    /// Exchanges that are ended from this side.
    static let endings =
        [("before the head", []), ("in the head", [.send("HTTP/1.1 200 OK\r\nConte")]), ("in a body", [half]), ("in a flood", endless)]
        .map { (place: String, steps: [ScriptedServer.Step]) in
            Self("Cancelling \(place) closes the connection") { trial in
                let server = try trial.server { _ in steps }
                let exchange = Task { try await trial.reply(from: server) }
                try await server.until { !$0.requests.isEmpty }

                exchange.cancel()

                try await trial.expectClosing(server)
                await trial.expectFailure(.cancelled) { try await exchange.value }
            }
        } + [
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
