import HTTPTypes
import LadingHTTP
import LadingTesting
import ScriptedServers

extension ExecutorConformance.Case {
    private struct StreamError: Error {}

    /// More blocks than the buffers of two sockets and an executor hold.
    private static let manyBlocks = 1_024

    private static func put(_ body: RequestBody, to server: ScriptedServer) -> RequestMessage {
        RequestMessage(method: .put, url: server.url(), body: body)
    }

    /// Request bodies that are not sent completely.
    static let interruptedUploads =
        [
            Self("A stream that fails ends the exchange with its error", needsNetwork: false) { trial in
                for length in [nil, 40 * CountingBodyStream.blockSize] {
                    let endpoint = try trial.endpoint()
                    let stream = CountingBodyStream(blocks: 20, endingWith: StreamError())

                    do {
                        let message = RequestMessage(method: .put, url: endpoint.url, body: stream.body(length: length))
                        _ = try await trial.response(to: message, through: endpoint.executor)
                        trial.expect(false, "a response to an incomplete body")
                    } catch {
                        trial.expect(error is StreamError, "expected the error of the stream, was \(error)")
                    }
                }
            },
            Self("A failed body does not arrive as a complete one") { trial in
                let server = try trial.server(.send(head: 200, length: 0))

                for blocks in [0, 1, 20] {
                    let stream = CountingBodyStream(blocks: blocks, endingWith: StreamError())
                    _ = try? await trial.response(to: put(stream.body(), to: server))
                }

                try await server.wait { $0.connections == $0.closedByClient }
                trial.expectEqual(server.log.requests.count, 0, "requests that arrived whole")
            },
            Self("A body that differs from its announced length is an error", needsNetwork: false) { trial in
                for announced in [CountingBodyStream.blockSize * 2, CountingBodyStream.blockSize * 4, 1] {
                    let endpoint = try trial.endpoint()
                    let stream = CountingBodyStream(blocks: 3)

                    do {
                        let message = RequestMessage(method: .put, url: endpoint.url, body: stream.body(length: announced))
                        _ = try await trial.response(to: message, through: endpoint.executor)
                        trial.expect(false, "a response to a body of another length")
                    } catch RequestBodyError.wrongLength(_, announced: announced) {
                        // The expected error.
                    } catch {
                        trial.expect(false, "expected the wrong length to be reported, was \(error)")
                    }
                }
            },
            Self("Cancelling in the middle of an upload closes the connection") { trial in
                let server = try trial.server(beforeBody: .pause) { _ in [.send(head: 200, length: 0)] }
                let stream = CountingBodyStream(blocks: manyBlocks)
                let exchange = Task { try await trial.response(to: put(stream.body(length: stream.length), to: server)) }
                try await server.wait { $0.heads > 0 }

                exchange.cancel()

                await trial.expectFailure(.cancelled) { try await exchange.value }
                server.resume()
                try await trial.expectClientClose(from: server)
                trial.expectEqual(server.log.requests.count, 0, "requests that arrived whole")
            },
            Self("Cancelling while a chunk is made ends the wait", needsNetwork: false) { trial in
                let endpoint = try trial.endpoint()
                let gate = Gate()
                let stream = CountingBodyStream(blocks: 2, gate: gate)
                let exchange = Task {
                    try await trial.response(
                        to: RequestMessage(method: .put, url: endpoint.url, body: stream.body()), through: endpoint.executor)
                }
                try await stream.bytesConsumed.wait { $0 > 0 }

                exchange.cancel()

                await trial.expectFailure(.cancelled) { try await exchange.value }
            },
            Self("A server that stops reading is a timeout", readTimeout: .milliseconds(300)) { trial in
                let server = try trial.server(beforeBody: .pause) { _ in [.send(head: 200, length: 0)] }
                let stream = CountingBodyStream(blocks: manyBlocks)

                await trial.expectFailure(.timedOut) { try await trial.response(to: put(stream.body(length: stream.length), to: server)) }

                server.resume()
                try await trial.expectClientClose(from: server)
            },
            Self(
                "A server that stalls after an early response is a timeout",
                readTimeout: .milliseconds(300)
            ) {
                trial in
                for length in [5, 0] {
                    let server = try trial.server(beforeBody: .send(head: 200, length: length), .pause) { _ in [] }
                    let stream = CountingBodyStream(blocks: manyBlocks)
                    let exchange = Task { try await trial.response(to: put(stream.body(length: stream.length), to: server)) }

                    // A response without a body is complete.
                    if length > 0 { await trial.expectFailure(.timedOut) { try await exchange.value } } else { _ = await exchange.result }

                    server.resume()
                    try await trial.expectClientClose(from: server)
                }
            },
            Self("A connection that is reset in the middle of an upload interrupts") { trial in
                let server = try trial.server(beforeBody: .reset) { _ in [] }
                let stream = CountingBodyStream(blocks: manyBlocks)

                await trial.expectFailure(.interrupted) {
                    try await trial.response(to: put(stream.body(length: stream.length), to: server))
                }
            },
        ] + earlyResponses

    private static let earlyResponses = [
        earlyResponse("waits", .pause), earlyResponse("hangs up", .close, capabilities: [.earlyResponses]),
    ]

    private static func earlyResponse(
        _ manner: String, _ step: ScriptedServer.Step, capabilities: Set<ExecutorConformance.Capability> = []
    ) -> Self {
        Self("An early refusal is returned when the server \(manner)", capabilities: capabilities) { trial in
            let head = ScriptedServer.Step.send(head: 413, [.connection: "close"], length: 5)
            let server = try trial.server(beforeBody: head, .send("large"), step) { _ in [] }
            let stream = CountingBodyStream(blocks: manyBlocks)

            for body in [stream.body(length: stream.length), stream.body()] {
                let response = try await trial.response(to: put(body, to: server))

                trial.expectEqual(response.status.code, 413)
                trial.expectEqual(String(decoding: response.body, as: UTF8.self), "large")
            }
        }
    }
}
