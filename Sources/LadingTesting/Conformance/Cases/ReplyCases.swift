import HTTPTypes
import LadingHTTP

extension ExecutorConformance.Case {
    /// What every reply has: a status, header fields, a body.
    static let replies = [
        Self("A status is handed over, whatever it is", needsNetwork: false) { trial in
            for status in [200, 201, 206, 400, 404, 407, 418, 429, 500, 503, 599] {
                let reply = try await trial.reply(from: trial.stage(status: status, body: [1]))

                trial.expectEqual(reply.status.code, status)
                trial.expectEqual(reply.body, [1], "the body of a \(status)")
            }
        },
        Self("A demand for a password is handed over", needsNetwork: false) { trial in
            let challenge: HTTPFields = [.wwwAuthenticate: "Basic realm=\"orders\""]

            let reply = try await trial.reply(from: trial.stage(status: 401, challenge, body: [1, 2]))

            trial.expectEqual(reply.status.code, 401)
            trial.expectEqual(reply.body, [1, 2])
        },
        Self("Header fields are handed over, however their names are written", needsNetwork: false) { trial in
            let reply = try await trial.reply(from: trial.stage([HTTPField.Name("x-ODD-case")!: "7", .eTag: "\"a, b\""]))

            trial.expectEqual(reply.headers[HTTPField.Name("X-Odd-Case")!], "7")
            trial.expectEqual(reply.headers[.eTag], "\"a, b\"")
        },
        Self("A header field that comes twice is handed over whole", needsNetwork: false) { trial in
            let reply = try await trial.reply(from: trial.stage([.vary: "Accept", .vary: "Accept-Language"]))

            let members = reply.headers[.vary]?.split(separator: ",").map { $0.filter { $0 != " " } }
            trial.expectEqual(members, ["Accept", "Accept-Language"])
        },
        Self("A header field without a value is empty", needsNetwork: false) { trial in
            let reply = try await trial.reply(from: trial.stage([HTTPField.Name("X-Nothing")!: ""]))

            trial.expectEqual(reply.headers[HTTPField.Name("X-Nothing")!], "")
        },
        Self("A body is handed over byte for byte", needsNetwork: false) { trial in
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

            let reply = try await trial.reply(from: trial.stage(body: bytes))

            trial.expect(reply.body == bytes, "\(reply.body.count) bytes arrived, or other ones")
        },
        Self("An empty body ends at once", needsNetwork: false) { trial in
            let reply = try await trial.reply(from: trial.stage())

            trial.expectEqual(reply.body, [])
        },
        Self("Replies that have no body end with their head") { trial in
            let server = try trial.server { request in
                let status = request.target == "/head" ? 200 : request.target == "/204" ? 204 : 304
                return [.send("HTTP/1.1 \(status) Words\r\n\(status == 204 ? "" : "Content-Length: 500\r\n")\r\n")]
            }

            for (method, path) in [(HTTPRequest.Method.get, "/204"), (.get, "/304"), (.head, "/head")] {
                let reply = try await trial.reply(to: RequestMessage(method: method, url: server.url(path)))
                trial.expectEqual(reply.body, [], "the body of \(path)")
            }
        },
    ]

    /// How the reply is handed to `receive`, and what comes back.
    static let receiving = [
        Self("What `receive` returns is returned", needsNetwork: false) { trial in
            let stage = try trial.stage(body: [7])

            let outcome = try await stage.executor.execute(RequestMessage(url: stage.url), timeLimit: Trial.timeLimit) { _, _ in "done" }

            trial.expectEqual(outcome, "done")
        },
        Self("What `receive` throws is passed on", needsNetwork: false) { trial in
            struct Refusal: Error {}
            let stage = try trial.stage(body: [7])

            do {
                try await stage.executor.execute(RequestMessage(url: stage.url), timeLimit: Trial.timeLimit) { _, _ in throw Refusal() }
                trial.expect(false, "nothing was thrown")
            } catch {
                trial.expect(error is Refusal, "\(error) was thrown")
            }
        },
        Self("A task that was cancelled before it asks is told so", needsNetwork: false) { trial in
            let stage = try trial.stage()
            let gate = Gate()
            let exchange = Task {
                try? await gate.pass()
                return try await trial.reply(from: stage)
            }

            exchange.cancel()

            await trial.expectFailure(.cancelled) { try await exchange.value }
        },
    ]
}
