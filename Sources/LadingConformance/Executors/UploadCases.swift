import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import ScriptedServers

extension ExecutorConformance.Case {
    /// 64 MiB of blocks.
    private static let manyBlocks = 1_024

    private static func put(_ body: RequestBody, to server: ScriptedServer) -> RequestMessage {
        RequestMessage(method: .put, url: server.url(), body: body)
    }

    /// Expects a request body to fail with an error before it is sent.
    private static func expectBodyError(
        _ expected: RequestBodyError, _ context: ExecutorTestContext, of exchange: () async throws -> BackendResponse
    ) async {
        do {
            let response = try await exchange()
            context.expect(false, "expected \(expected), was \(response.status)")
        } catch {
            context.expect(error as? RequestBodyError == expected, "expected \(expected), was \(error)")
        }
    }

    /// Request bodies from streams and files.
    static let uploads = [
        Self("The announced length of a stream is sent to the server", capabilities: [.uploadLengths]) { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let stream = CountingBodyStream(blocks: 40)

            _ = try await trial.response(to: put(stream.body(length: stream.length), to: server))

            trial.expectEqual(server.log.requests.first?["Content-Length"], "\(stream.length)")
            trial.expectEqual(server.log.requests.first?["Transfer-Encoding"], nil)
        },
        Self("The fields of an upload in parts arrive as they are, and no others of their kind") { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let fields = [("Upload-Complete", "?0"), ("Upload-Draft-Interop-Version", "8"), ("Upload-Offset", "7")]
            var message = put(CountingBodyStream(blocks: 1).body(), to: server)
            message.method = .patch
            for (name, value) in fields {
                if let name = HTTPField.Name(name) { message.headers[name] = value }
            }

            _ = try await trial.response(to: message)

            let received = server.log.requests.first?.fields.filter { $0.name.lowercased().hasPrefix("upload-") } ?? []
            trial.expectEqual(
                received.map { "\($0.name): \($0.value)".lowercased() }.sorted(), fields.map { "\($0.0): \($0.1)".lowercased() })
        },
        Self("A stream of 64 megabytes arrives whole") { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let stream = CountingBodyStream(blocks: manyBlocks)

            _ = try await trial.response(to: put(stream.body(length: stream.length), to: server))

            trial.expect(stream.matches(server.log.requests.first?.body ?? []), "other bytes arrived")
        },
        Self("A stream of unknown length arrives whole") { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let streams = [0, 1, 40].map { CountingBodyStream(blocks: $0) }

            for stream in streams { _ = try await trial.response(to: put(stream.body(), to: server)) }

            for (stream, request) in zip(streams, server.log.requests) {
                trial.expect(stream.matches(request.body), "\(stream.length) bytes became \(request.body.count), or others")
            }
        },
        Self("Each exchange reads the stream from its beginning") { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let stream = CountingBodyStream(blocks: 3)
            let message = put(stream.body(length: stream.length), to: server)

            for _ in 1...2 { _ = try await trial.response(to: message) }

            trial.expectEqual(server.log.requests.map { stream.matches($0.body) }, [true, true])
        },
        Self("A file arrives byte for byte, and a part of one") { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let file = FileManager.default.temporaryDirectory.appending(path: "lading-upload-\(UUID().uuidString)")
            let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 10) }
            try Data(bytes).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }

            for range in [nil, 0..<0, 5..<600_007, 699_999..<700_000] {
                _ = try await trial.response(to: put(.file(file, range: range), to: server))
            }

            let arrived = server.log.requests.map(\.body)
            trial.expect(arrived == [bytes, [], Array(bytes[5..<600_007]), [bytes[699_999]]], "other bytes arrived")
        },
        Self("A file that has grown is sent at its announced length and one that has shrunk or is gone is an error") { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let file = FileManager.default.temporaryDirectory.appending(path: "lading-upload-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data("0123456789".utf8).write(to: file)
            let message = put(try .file(file), to: server)

            try Data("0123456789abc".utf8).write(to: file)
            _ = try await trial.response(to: message)
            try Data("012".utf8).write(to: file)
            await expectBodyError(.outOfRange(file.path(percentEncoded: false), size: 3), trial) { try await trial.response(to: message) }
            try FileManager.default.removeItem(at: file)
            await expectBodyError(.fileNotFound(file.path(percentEncoded: false)), trial) { try await trial.response(to: message) }

            trial.expectEqual(server.log.requests.map(\.body), [Array("0123456789".utf8)])
        },
        Self("A stream is sent while it is made", capabilities: [.streamedUploads]) { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let gate = Gate()
            let stream = CountingBodyStream(blocks: 2, gate: gate)
            let exchange = Task { try await trial.response(to: put(stream.body(), to: server)) }

            try await server.wait { $0.bytesReceived > CountingBodyStream.blockSize }
            gate.open()

            trial.expectEqual(try await exchange.value.status.code, 200)
        },
        Self("A slow server slows the stream down", capabilities: [.streamedUploads]) { trial in
            let server = try trial.server(beforeBody: .pause) { _ in [.send(head: 200, length: 0)] }
            let stream = CountingBodyStream(blocks: manyBlocks)
            let exchange = Task { try await trial.response(to: put(stream.body(length: stream.length), to: server)) }

            try await stream.bytesConsumed.waitUntilStable { $0 > 0 }
            // Bytes in flight fill the buffers of two sockets and of the executor.
            trial.expect(
                stream.bytesConsumed.value < stream.length / 2, "\(stream.bytesConsumed.value) bytes were taken before any were read")
            server.resume()

            trial.expectEqual(try await exchange.value.status.code, 200)
        },
        Self("A client reports the bytes sent") { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let stream = CountingBodyStream(blocks: 40)
            let bodies = [stream.body(length: stream.length), .bytes(Array(repeating: 1, count: stream.length)), [1, 2, 3]]

            for body in bodies {
                let reported = ObservableValue<[OperationProgress.Snapshot]>([])
                let progress = OperationProgress { snapshot in reported.change { $0.append(snapshot) } }
                _ = try await BackendClient(executor: trial.executor).response(to: put(body, to: server), uploadProgress: progress)

                trial.expectEqual(reported.value.map(\.completed).max(), body.length, "bytes sent")
                trial.expectEqual(reported.value.first?.total, body.length, "bytes to send")
            }
        },
        Self("A redirect restarts the stream") { trial in
            let server = try trial.server { request in
                request.target == "/end" ? [.send(head: 200, length: 0)] : [.send(head: 307, [.location: "/end"], length: 0)]
            }
            let stream = CountingBodyStream(blocks: 5)

            _ = try await BackendClient(executor: trial.executor).response(to: put(stream.body(), to: server))

            trial.expectEqual(server.log.requests.map(\.target), ["/thing", "/end"])
            trial.expectEqual(server.log.requests.map { stream.matches($0.body) }, [true, true])
        },
    ]
}
