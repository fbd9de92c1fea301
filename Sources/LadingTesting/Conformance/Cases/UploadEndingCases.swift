import HTTPTypes
import LadingHTTP

extension ExecutorConformance.Case {
    private struct Broken: Error {}

    /// More than the buffers of two sockets and an executor take.
    private static let manyBlocks = 1_024

    private static func put(_ body: RequestBody, to server: ScriptedServer) -> RequestMessage {
        RequestMessage(method: .put, url: server.url(), body: body)
    }

    /// Bodies of messages that are not sent to their end.
    static let interruptedUploads =
        [
            Self("A stream that fails ends the exchange with its error", needsNetwork: false) { trial in
                for length in [nil, 40 * MeasuredStream.blockSize] {
                    let stage = try trial.stage()
                    let stream = MeasuredStream(blocks: 20, endingWith: Broken())

                    do {
                        let message = RequestMessage(method: .put, url: stage.url, body: stream.body(length: length))
                        _ = try await trial.reply(to: message, through: stage.executor)
                        trial.expect(false, "a reply to half a body")
                    } catch {
                        trial.expect(error is Broken, "expected the error of the stream, was \(error)")
                    }
                }
            },
            Self("A body that fails does not arrive as if it were whole") { trial in
                let server = try trial.server(.send(head: 200, length: 0))

                for blocks in [0, 1, 20] {
                    let stream = MeasuredStream(blocks: blocks, endingWith: Broken())
                    _ = try? await trial.reply(to: put(stream.body(), to: server))
                }

                try await server.until { $0.connections == $0.closedByClient }
                trial.expectEqual(server.seen.requests.count, 0, "requests that arrived whole")
            },
            Self("A body of another length than announced is none", needsNetwork: false) { trial in
                for announced in [MeasuredStream.blockSize * 2, MeasuredStream.blockSize * 4, 1] {
                    let stage = try trial.stage()
                    let stream = MeasuredStream(blocks: 3)

                    do {
                        let message = RequestMessage(method: .put, url: stage.url, body: stream.body(length: announced))
                        _ = try await trial.reply(to: message, through: stage.executor)
                        trial.expect(false, "a reply to a body of another length")
                    } catch RequestBodyError.wrongLength(_, announced: announced) {
                        // As it should be.
                    } catch {
                        trial.expect(false, "expected the wrong length to be told, was \(error)")
                    }
                }
            },
            Self("Cancelling in the middle of an upload closes the connection") { trial in
                let server = try trial.server(interjecting: .pause) { _ in [.send(head: 200, length: 0)] }
                let stream = MeasuredStream(blocks: manyBlocks)
                let exchange = Task { try await trial.reply(to: put(stream.body(length: stream.length), to: server)) }
                try await server.until { $0.heads > 0 }

                exchange.cancel()

                await trial.expectFailure(.cancelled) { try await exchange.value }
                server.proceed()
                try await trial.expectClosing(server)
                trial.expectEqual(server.seen.requests.count, 0, "requests that arrived whole")
            },
            Self("Cancelling while a chunk is made ends the wait", needsNetwork: false) { trial in
                let stage = try trial.stage()
                let gate = Gate()
                let stream = MeasuredStream(blocks: 2, gate: gate)
                let exchange = Task {
                    try await trial.reply(to: RequestMessage(method: .put, url: stage.url, body: stream.body()), through: stage.executor)
                }
                try await stream.taken.until { $0 > 0 }

                exchange.cancel()

                await trial.expectFailure(.cancelled) { try await exchange.value }
            },
            Self("A server that takes nothing more is given up", silenceLimit: .milliseconds(300)) { trial in
                let server = try trial.server(interjecting: .pause) { _ in [.send(head: 200, length: 0)] }
                let stream = MeasuredStream(blocks: manyBlocks)

                await trial.expectFailure(.timedOut) { try await trial.reply(to: put(stream.body(length: stream.length), to: server)) }

                server.proceed()
                try await trial.expectClosing(server)
            },
            Self(
                "A server that answers before a body was sent, and then neither takes nor sends anything, is given up",
                silenceLimit: .milliseconds(300)
            ) {
                trial in
                for length in [5, 0] {
                    let server = try trial.server(interjecting: .send(head: 200, length: length), .pause) { _ in [] }
                    let stream = MeasuredStream(blocks: manyBlocks)
                    let exchange = Task { try await trial.reply(to: put(stream.body(length: stream.length), to: server)) }

                    // Of a reply without a body all is there.
                    if length > 0 { await trial.expectFailure(.timedOut) { try await exchange.value } } else { _ = await exchange.result }

                    server.proceed()
                    try await trial.expectClosing(server)
                }
            },
            Self("A connection that is reset in the middle of an upload interrupts") { trial in
                let server = try trial.server(interjecting: .reset) { _ in [] }
                let stream = MeasuredStream(blocks: manyBlocks)

                await trial.expectFailure(.interrupted) { try await trial.reply(to: put(stream.body(length: stream.length), to: server)) }
            },
        ] + refusals

    private static let refusals = [
        refusal("waits", .pause), refusal("hangs up", .hangUp, capabilities: [.hastyRefusals]),
    ]

    private static func refusal(
        _ manner: String, _ step: ScriptedServer.Step, capabilities: Set<ExecutorConformance.Capability> = []
    ) -> Self {
        Self("A server that refuses a body before it was sent and \(manner) is heard", capabilities: capabilities) { trial in
            let head = ScriptedServer.Step.send(head: 413, [.connection: "close"], length: 5)
            let server = try trial.server(interjecting: head, .send("large"), step) { _ in [] }
            let stream = MeasuredStream(blocks: manyBlocks)

            for body in [stream.body(length: stream.length), stream.body()] {
                let reply = try await trial.reply(to: put(body, to: server))

                trial.expectEqual(reply.status.code, 413)
                trial.expectEqual(String(decoding: reply.body, as: UTF8.self), "large")
            }
        }
    }
}
