import HTTPTypes
import LadingHTTP

extension ExecutorConformance.Case {
    private static let text = String(repeating: "one order after the other, ", count: 2_000)

    /// Content codings (RFC 9110 §8.4.1).
    static let codings = [
        Self("gzip is undone") { trial in
            let coded = CodedBody.gzip(Array(text.utf8))
            let server = try trial.server(.send(head: 200, [.contentEncoding: "gzip"], length: coded.count), .send(coded))

            let reply = try await trial.reply(from: server)

            trial.expect(reply.body == Array(text.utf8), "\(reply.body.count) bytes arrived, or other ones")
        },
        Self("deflate is undone") { trial in
            let coded = CodedBody.deflate(Array(text.utf8))
            let server = try trial.server(.send(head: 200, [.contentEncoding: "deflate"], length: coded.count), .send(coded))

            let reply = try await trial.reply(from: server)

            trial.expect(reply.body == Array(text.utf8), "\(reply.body.count) bytes arrived, or other ones")
        },
        Self("A coding is undone whose body comes bit by bit") { trial in
            let coded = CodedBody.gzip(Array("hello, world".utf8))
            let pieces = coded.map { byte in ScriptedServer.Step.send(Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8)) }
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
            let server = try trial.server { _ in [.send(head)] + pieces + [.send("0\r\n\r\n")] }

            let reply = try await trial.reply(from: server)

            trial.expectEqual(String(decoding: reply.body, as: UTF8.self), "hello, world")
        },
        Self("A body that swells without end is given up at the reader's bound", capabilities: [.boundedDecoding]) { trial in
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
            let server = try trial.server(.send(head), .send(CodedBody.bombStart), .sendAgain(CodedBody.bombPeriod, times: .max))

            await trial.expectFailure(.bodyTooLarge) {
                try await BackendClient(executor: trial.executor)
                    .reply(to: RequestMessage(url: server.url()), within: ReplyBounds(bodySize: 1 << 20))
            }

            try await trial.expectClosing(server)
        },
        Self("A coding that does not add up gives no value") { trial in
            var coded = CodedBody.gzip(Array(text.utf8))
            coded[coded.count / 2] ^= 0xFF
            let server = try trial.server(.send(head: 200, [.contentEncoding: "gzip"], length: coded.count), .send(coded))

            await trial.expectFailure(.malformed, .interrupted) { try await trial.reply(from: server) }
        },
        Self("A coding that does not add up is malformed", capabilities: [.codingErrors]) { trial in
            let bytes = Array("this is not gzip, whatever the header says".utf8)
            let server = try trial.server(.send(head: 200, [.contentEncoding: "gzip"], length: bytes.count), .send(bytes))

            await trial.expectFailure(.malformed) { try await trial.reply(from: server) }
        },
    ]
}
