import HTTPTypes
import LadingHTTP
import LadingTesting
import ScriptedServers

extension ExecutorConformance.Case {
    /// The status, header fields and body of a response.
    static let responses = [
        Self("Every status is returned", needsNetwork: false) { trial in
            for status in [200, 201, 206, 400, 404, 407, 418, 429, 500, 503, 599] {
                let response = try await trial.response(from: trial.endpoint(status: status, body: [1]))

                trial.expectEqual(response.status.code, status)
                trial.expectEqual(response.body, [1], "the body of a \(status)")
            }
        },
        Self("A 401 response is returned with its body", needsNetwork: false) { trial in
            let challenge: HTTPFields = [.wwwAuthenticate: "Basic realm=\"orders\""]

            let response = try await trial.response(from: trial.endpoint(status: 401, challenge, body: [1, 2]))

            trial.expectEqual(response.status.code, 401)
            trial.expectEqual(response.body, [1, 2])
        },
        Self("Header fields are found regardless of case", needsNetwork: false) { trial in
            let response = try await trial.response(from: trial.endpoint([HTTPField.Name("x-ODD-case")!: "7", .eTag: "\"a, b\""]))

            trial.expectEqual(response.headers[HTTPField.Name("X-Odd-Case")!], "7")
            trial.expectEqual(response.headers[.eTag], "\"a, b\"")
        },
        Self("A repeated header field is returned completely", needsNetwork: false) { trial in
            let response = try await trial.response(from: trial.endpoint([.vary: "Accept", .vary: "Accept-Language"]))

            let members = response.headers[.vary]?.split(separator: ",").map { $0.filter { $0 != " " } }
            trial.expectEqual(members, ["Accept", "Accept-Language"])
        },
        Self("A header field without a value is empty", needsNetwork: false) { trial in
            let response = try await trial.response(from: trial.endpoint([HTTPField.Name("X-Nothing")!: ""]))

            trial.expectEqual(response.headers[HTTPField.Name("X-Nothing")!], "")
        },
        Self("A body is returned byte for byte", needsNetwork: false) { trial in
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

            let response = try await trial.response(from: trial.endpoint(body: bytes))

            trial.expect(response.body == bytes, "\(response.body.count) bytes arrived, or other ones")
        },
        Self("An empty body ends at once", needsNetwork: false) { trial in
            let response = try await trial.response(from: trial.endpoint())

            trial.expectEqual(response.body, [])
        },
        Self("Responses without a body end with their head") { trial in
            let server = try trial.server { request in
                let status = request.target == "/head" ? 200 : request.target == "/204" ? 204 : 304
                return [.send("HTTP/1.1 \(status) Words\r\n\(status == 204 ? "" : "Content-Length: 500\r\n")\r\n")]
            }

            for (method, path) in [(HTTPRequest.Method.get, "/204"), (.get, "/304"), (.head, "/head")] {
                let response = try await trial.response(to: RequestMessage(method: method, url: server.url(path)))
                trial.expectEqual(response.body, [], "the body of \(path)")
            }
        },
    ]

    /// The result of the closure `receive`, its errors, and cancellation before the request.
    static let receiving = [
        Self("The value of `receive` is returned", needsNetwork: false) { trial in
            let endpoint = try trial.endpoint(body: [7])

            let outcome = try await endpoint.executor.execute(RequestMessage(url: endpoint.url), timeLimit: ExecutorTestContext.timeLimit) {
                _, _ in "done"
            }

            trial.expectEqual(outcome, "done")
        },
        Self("An error of `receive` is rethrown", needsNetwork: false) { trial in
            struct TestError: Error {}
            let endpoint = try trial.endpoint(body: [7])

            do {
                try await endpoint.executor.execute(RequestMessage(url: endpoint.url), timeLimit: ExecutorTestContext.timeLimit) { _, _ in
                    throw TestError()
                }
                trial.expect(false, "nothing was thrown")
            } catch {
                trial.expect(error is TestError, "\(error) was thrown")
            }
        },
        Self("A task cancelled before the request throws a cancellation error", needsNetwork: false) { trial in
            let endpoint = try trial.endpoint()
            let gate = Gate()
            let exchange = Task {
                try? await gate.wait()
                return try await trial.response(from: endpoint)
            }

            exchange.cancel()

            await trial.expectFailure(.cancelled) { try await exchange.value }
        },
    ]
}
