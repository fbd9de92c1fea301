import HTTPTypes
import LadingHTTP
import ScriptedServers

extension ExecutorConformance.Case {
    private static let text = String(repeating: "one order after the other, ", count: 2_000)

    /// Content codings (RFC 9110 §8.4.1).
    static let codings = [
        Self("gzip is decoded") { trial in
            let encoded = EncodedBody.gzip(Array(text.utf8))
            let server = try trial.server(.send(head: 200, [.contentEncoding: "gzip"], length: encoded.count), .send(encoded))

            let response = try await trial.response(from: server)

            trial.expect(response.body == Array(text.utf8), "\(response.body.count) bytes arrived, or other ones")
        },
        Self("deflate is decoded") { trial in
            let encoded = EncodedBody.deflate(Array(text.utf8))
            let server = try trial.server(.send(head: 200, [.contentEncoding: "deflate"], length: encoded.count), .send(encoded))

            let response = try await trial.response(from: server)

            trial.expect(response.body == Array(text.utf8), "\(response.body.count) bytes arrived, or other ones")
        },
        Self("A coded body that arrives byte by byte is decoded") { trial in
            let encoded = EncodedBody.gzip(Array("hello, world".utf8))
            let pieces = encoded.map { byte in ScriptedServer.Step.send(Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8)) }
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
            let server = try trial.server { _ in [.send(head)] + pieces + [.send("0\r\n\r\n")] }

            let response = try await trial.response(from: server)

            trial.expectEqual(String(decoding: response.body, as: UTF8.self), "hello, world")
        },
        Self("A coded response without a body is empty") { trial in
            let server = try trial.server { request in
                let status = request.target == "/204" ? 204 : request.target == "/304" ? 304 : 200
                let length = status == 204 ? "" : "Content-Length: \(request.target == "/empty" ? 0 : 500)\r\n"
                return [.send("HTTP/1.1 \(status) Words\r\nContent-Encoding: gzip\r\n\(length)\r\n")]
            }

            for (method, path) in [(HTTPRequest.Method.get, "/204"), (.get, "/304"), (.get, "/empty"), (.head, "/head")] {
                let response = try await trial.response(to: RequestMessage(method: method, url: server.url(path)))
                trial.expectEqual(response.body, [], "the body of \(path)")
            }
        },
        Self("Endless decoding stops at the size limit of the reader", capabilities: [.boundedDecoding]) { trial in
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
            let server = try trial.server(
                .send(head), .send(EncodedBody.gzipZerosStart), .sendRepeating(EncodedBody.gzipZerosPeriod, times: .max))

            await trial.expectFailure(.bodyTooLarge) {
                try await BackendClient(executor: trial.executor)
                    .response(to: RequestMessage(url: server.url()), within: ResponseLimits(bodySize: 1 << 20))
            }

            try await trial.expectClientClose(from: server)
        },
        Self("A corrupt coding returns no value") { trial in
            var encoded = EncodedBody.gzip(Array(text.utf8))
            encoded[encoded.count / 2] ^= 0xFF
            let server = try trial.server(.send(head: 200, [.contentEncoding: "gzip"], length: encoded.count), .send(encoded))

            await trial.expectFailure(.malformed, .interrupted) { try await trial.response(from: server) }
        },
        Self("A corrupt coding is reported as malformed", capabilities: [.codingErrors]) { trial in
            let bytes = Array("this is not gzip, whatever the header says".utf8)
            let server = try trial.server(.send(head: 200, [.contentEncoding: "gzip"], length: bytes.count), .send(bytes))

            await trial.expectFailure(.malformed) { try await trial.response(from: server) }
        },
    ]
}
