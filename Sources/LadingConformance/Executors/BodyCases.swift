import HTTPTypes
import LadingHTTP
import ScriptedServers

extension ExecutorConformance.Case {
    private static let megabytes64 = 64 << 20
    private static let block = [UInt8](repeating: 7, count: 65_536)

    /// The framing of a body (RFC 9112 §6).
    static let framing = [
        Self("Chunks are concatenated") { trial in
            let server = try trial.server(
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n"),
                .send("1\r\n \r\n5\r\nworld\r\n0\r\n\r\n"))

            let response = try await trial.response(from: server)

            trial.expectEqual(String(decoding: response.body, as: UTF8.self), "hello world")
        },
        Self("Trailer fields are ignored", capabilities: [.trailers]) { trial in
            let server = try trial.server(
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"),
                .send("5\r\nhello\r\n0\r\nX-Sum: 5\r\n\r\n"))

            let response = try await trial.response(from: server)

            trial.expectEqual(String(decoding: response.body, as: UTF8.self), "hello")
        },
        Self("A body without a length ends with the connection") { trial in
            let server = try trial.server(.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello"), .close)

            let response = try await trial.response(from: server)

            trial.expectEqual(String(decoding: response.body, as: UTF8.self), "hello")
        },
        Self("Interim responses are ignored", capabilities: [.interimResponses]) { trial in
            let server = try trial.server(
                .send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), .send(head: 200, length: 2), .send("ok"))

            let response = try await trial.response(from: server)

            trial.expectEqual(response.status.code, 200)
            trial.expectEqual(response.body, Array("ok".utf8))
        },
        Self("Bytes beyond the announced length are not part of the response") { trial in
            let server = try trial.server(.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, world"), .close)

            let response = try await trial.response(from: server)

            trial.expectEqual(String(decoding: response.body, as: UTF8.self), "hello")
        },
    ]

    /// The transfer of a body.
    static let bodies = [
        Self("A body is delivered as it arrives") { trial in
            let server = try trial.server(.send(head: 200, length: 10), .send("hello"), .pause, .send("world"))

            let text = try await trial.executor.execute(RequestMessage(url: server.url()), timeLimit: ExecutorTestContext.timeLimit) {
                _, body in
                var bytes: [UInt8] = []
                for try await chunk in body {
                    bytes += chunk
                    // The server waits until this many bytes have arrived.
                    if bytes.count == 5 { server.resume() }
                }
                return String(decoding: bytes, as: UTF8.self)
            }

            trial.expectEqual(text, "helloworld")
        },
        Self("64 megabytes arrive whole") { trial in
            let server = try trial.server(.send(head: 200, length: megabytes64), .sendRepeating(block, times: megabytes64 / block.count))

            let count = try await trial.executor.execute(RequestMessage(url: server.url()), timeLimit: ExecutorTestContext.timeLimit) {
                _, body in
                var count = 0
                for try await chunk in body { count += chunk.count }
                return count
            }

            trial.expectEqual(count, megabytes64)
        },
        Self("A slow reader slows the sender down", capabilities: [.backPressure]) { trial in
            let server = try trial.server(.send(head: 200, length: megabytes64), .sendRepeating(block, times: megabytes64 / block.count))

            let count = try await trial.executor.execute(RequestMessage(url: server.url()), timeLimit: ExecutorTestContext.timeLimit) {
                _, body in
                var chunks = body.makeAsyncIterator()
                var count = try await chunks.next()?.count ?? 0
                try await server.wait { $0.stalls > 0 || $0.bytesSent >= megabytes64 }
                // Bytes in flight fill the buffers of two sockets and of the executor.
                trial.expect(server.log.bytesSent < megabytes64 / 2, "\(server.log.bytesSent) bytes were taken unread")
                while let chunk = try await chunks.next() { count += chunk.count }
                return count
            }

            trial.expectEqual(count, megabytes64)
        },
    ]
}
