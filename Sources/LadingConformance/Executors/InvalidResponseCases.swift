import Foundation
import HTTPTypes
import LadingHTTP
import ScriptedServers

extension ExecutorConformance.Case {
    /// Truncated and malformed responses.
    static let invalidResponses =
        truncatedResponses + [
            Self("A response that is not HTTP is malformed") { trial in
                let server = try trial.server(.send("220 mail.example.org ESMTP\r\n"), .close)

                await trial.expectFailure(.malformed) { try await trial.response(from: server) }
            },
            Self("A chunk without a valid length is malformed") { trial in
                let server = try trial.server(.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n"), .close)

                await trial.expectFailure(.malformed, .interrupted) { try await trial.response(from: server) }
            },
            Self("An endless head is aborted") { trial in
                let line = Array("X-Again: \(String(repeating: "x", count: 1000))\r\n".utf8)
                let server = try trial.server(.send("HTTP/1.1 200 OK\r\n"), .sendRepeating(line, times: .max))

                await trial.expectFailure(.malformed, .interrupted) { try await trial.response(from: server) }

                try await trial.expectClientClose(from: server)
                trial.expect(server.log.bytesSent < 32 << 20, "\(server.log.bytesSent) bytes of head were taken")
            },
            Self("A port without a listener is unreachable") { trial in
                let url = try ScriptedServer.unreachableURL()

                await trial.expectFailure(.unreachable) { try await trial.response(to: RequestMessage(url: url)) }
            },
        ]

    private static let truncatedResponses = [
        truncatedResponse("before the response", [.close]),
        truncatedResponse("in the head", [.send("HTTP/1.1 200 OK\r\nContent-Ty"), .close], capabilities: [.truncatedHeads]),
        truncatedResponse("in a body with a length", [.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello"), .close]),
        truncatedResponse("in a chunked body", [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), .close]),
        truncatedResponse("by a reset", [.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello"), .reset]),
    ]

    private static func truncatedResponse(
        _ place: String, _ steps: [ScriptedServer.Step], capabilities: Set<ExecutorConformance.Capability> = []
    ) -> Self {
        Self("A connection that ends \(place) interrupts, and nothing is repeated", capabilities: capabilities) { trial in
            let server = try trial.server { _ in steps }

            await trial.expectFailure(.interrupted) {
                try await trial.response(to: RequestMessage(method: .post, url: server.url(), body: [1]))
            }

            trial.expectEqual(server.log.requests.count, 1, "requests")
        }
    }

    /// Redirects, which executors return and clients follow.
    static let redirects =
        [301, 302, 303, 307, 308].map { status in
            Self("A redirect with \(status) is handed over and not followed", needsNetwork: false) { trial in
                let endpoint = try trial.endpoint(status: status, [.location: "/elsewhere"], body: Array("moved".utf8))

                let response = try await trial.response(from: endpoint)

                trial.expectEqual(response.status.code, status)
                trial.expectEqual(response.headers[.location], "/elsewhere")
            }
        } + [
            Self("A client ends a loop of redirects", needsNetwork: false) { trial in
                let endpoint = try trial.endpoint(status: 302, [.location: "/thing"])

                await trial.expectFailure(.tooManyRedirects) {
                    try await BackendClient(executor: endpoint.executor)
                        .response(to: RequestMessage(url: endpoint.url), within: ResponseLimits(redirects: 3))
                }
            },
            Self("Consecutive redirects may remain unread") { trial in
                let server = try trial.server(.send(head: 302, [.location: "/there"], length: 5), .send("moved"))

                for _ in 1...100 {
                    let status = try await trial.executor.execute(
                        RequestMessage(url: server.url()), timeLimit: ExecutorTestContext.timeLimit
                    ) { head, _ in head.status.code }
                    trial.expectEqual(status, 302)
                }
            },
            Self("An exchange can be cancelled while a redirect arrives") { trial in
                let server = try trial.server(.send(head: 302, [.location: "/there"], length: 5), .send("moved"))

                for number in 1...100 {
                    let exchange = Task { try await trial.response(from: server) }
                    try await server.wait { $0.requests.count >= number }
                    exchange.cancel()
                    // Either outcome is valid, as long as the exchange ends without side effects.
                    _ = await exchange.result
                }
            },
            Self("A client follows a redirect to its end") { trial in
                let server = try trial.server { request in
                    request.target == "/end"
                        ? [.send(head: 200, length: 3), .send("end")] : [.send(head: 307, [.location: "/end"], length: 0)]
                }

                let response = try await BackendClient(executor: trial.executor).response(to: RequestMessage(url: server.url("/start")))

                trial.expectEqual(response.body, Array("end".utf8))
                trial.expectEqual(server.log.requests.map(\.target), ["/start", "/end"])
            },
        ]
}
