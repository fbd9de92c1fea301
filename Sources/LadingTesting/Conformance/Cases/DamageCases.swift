import Foundation
import HTTPTypes
import LadingHTTP

extension ExecutorConformance.Case {
    /// Replies that are cut off, and replies that are none.
    static let damage =
        cuts + [
            Self("What is no HTTP is malformed") { trial in
                let server = try trial.server(.send("220 mail.example.org ESMTP\r\n"), .hangUp)

                await trial.expectFailure(.malformed) { try await trial.reply(from: server) }
            },
            Self("A chunk whose length is none is malformed") { trial in
                let server = try trial.server(.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n"), .hangUp)

                await trial.expectFailure(.malformed, .interrupted) { try await trial.reply(from: server) }
            },
            Self("A head without end is given up") { trial in
                let line = Array("X-Again: \(String(repeating: "x", count: 1000))\r\n".utf8)
                let server = try trial.server(.send("HTTP/1.1 200 OK\r\n"), .sendAgain(line, times: .max))

                await trial.expectFailure(.malformed, .interrupted) { try await trial.reply(from: server) }

                try await trial.expectClosing(server)
                trial.expect(server.seen.bytesSent < 32 << 20, "\(server.seen.bytesSent) bytes of head were taken")
            },
            Self("A port where nobody listens cannot be reached") { trial in
                let url = try ScriptedServer.urlWhereNobodyListens()

                await trial.expectFailure(.unreachable) { try await trial.reply(to: RequestMessage(url: url)) }
            },
        ]

    private static let cuts = [
        cut("before the reply", [.hangUp]),
        cut("in the head", [.send("HTTP/1.1 200 OK\r\nContent-Ty"), .hangUp], capabilities: [.brokenHeads]),
        cut("in a body with a length", [.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello"), .hangUp]),
        cut("in a chunked body", [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), .hangUp]),
        cut("by a reset", [.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello"), .reset]),
    ]

    private static func cut(
        _ place: String, _ steps: [ScriptedServer.Step], capabilities: Set<ExecutorConformance.Capability> = []
    ) -> Self {
        Self("A connection that ends \(place) interrupts, and nothing is repeated", capabilities: capabilities) { trial in
            let server = try trial.server { _ in steps }

            await trial.expectFailure(.interrupted) {
                try await trial.reply(to: RequestMessage(method: .post, url: server.url(), body: [1]))
            }

            trial.expectEqual(server.seen.requests.count, 1, "requests")
        }
    }

    /// Redirects are the business of the layer above.
    static let redirects =
        [301, 302, 303, 307, 308].map { status in
            Self("A redirect with \(status) is handed over and not followed", needsNetwork: false) { trial in
                let stage = try trial.stage(status: status, [.location: "/elsewhere"], body: Array("moved".utf8))

                let reply = try await trial.reply(from: stage)

                trial.expectEqual(reply.status.code, status)
                trial.expectEqual(reply.headers[.location], "/elsewhere")
            }
        } + [
            Self("A client ends a loop of redirects", needsNetwork: false) { trial in
                let stage = try trial.stage(status: 302, [.location: "/thing"])

                await trial.expectFailure(.tooManyRedirects) {
                    try await BackendClient(executor: stage.executor)
                        .reply(to: RequestMessage(url: stage.url), within: ReplyBounds(redirects: 3))
                }
            },
            Self("Redirects may be left unread, again and again") { trial in
                let server = try trial.server(.send(head: 302, [.location: "/there"], length: 5), .send("moved"))

                for _ in 1...100 {
                    let status = try await trial.executor.execute(
                        RequestMessage(url: server.url()), timeLimit: Trial.timeLimit
                    ) { head, _ in head.status.code }
                    trial.expectEqual(status, 302)
                }
            },
            Self("An exchange may be cancelled while a redirect arrives") { trial in
                let server = try trial.server(.send(head: 302, [.location: "/there"], length: 5), .send("moved"))

                for number in 1...100 {
                    let exchange = Task { try await trial.reply(from: server) }
                    try await server.until { $0.requests.count >= number }
                    exchange.cancel()
                    // Whichever came first: it ends, and takes nothing along.
                    _ = await exchange.result
                }
            },
            Self("A client follows a redirect to its end") { trial in
                let server = try trial.server { request in
                    request.target == "/end"
                        ? [.send(head: 200, length: 3), .send("end")] : [.send(head: 307, [.location: "/end"], length: 0)]
                }

                let reply = try await BackendClient(executor: trial.executor).reply(to: RequestMessage(url: server.url("/start")))

                trial.expectEqual(reply.body, Array("end".utf8))
                trial.expectEqual(server.seen.requests.map(\.target), ["/start", "/end"])
            },
        ]
}
