import Foundation
import HTTPTypes
import LadingConformance
import LadingTesting
import ScriptedServers
import Synchronization
import Testing
@testable import LadingHTTP
@testable import LadingRecording
import TemporaryFolders

extension URLSessionTests {
    /// The conformance suite on an executor that is recorded.
    @Suite struct RecordedConformance {
        private static let conformance = ExecutorConformance { silenceLimit, use in
            let directory = try TemporaryFolder()
            try await use(try RecordingExecutor(URLSessionExecutor(readTimeout: silenceLimit), in: directory.url))
        }

        /// The cases that transfer tens of megabytes: without optimization their digests take longer than the time limits of the cases, and on Linux
        /// the next exchange waits in the queue that all sessions share.
        private static let largeTransfers: Set = [
            "64 megabytes arrive whole", "A stream of 64 megabytes arrives whole", "A server that stops reading is a timeout",
            "A server that stalls after an early response is a timeout",
            "Cancelling in the middle of an upload closes the connection",
            "A connection that is reset in the middle of an upload interrupts",
            "An early refusal is returned when the server waits",
        ]

        private static let cases = conformance.cases.filter { !largeTransfers.contains($0.name) }

        @Test func `Only large transfers are omitted`() {
            #expect(Self.conformance.cases.count - Self.cases.count == Self.largeTransfers.count)
        }

        @Test(arguments: cases) func `A recorded executor passes the conformance suite`(_ example: ExecutorConformance.Case) async throws {
            try await Self.conformance.check(example)
        }
    }

    /// Tests of recording over a socket, and of replaying from files.
    @Suite struct RecordedRoundTrip {
        @Test func `Exchanges recorded over a socket are replayed without a network`() async throws {
            let directory = try TemporaryFolder()
            let served = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            let server = try ScriptedServer { request in
                switch request.target {
                case "/old": [.send("HTTP/1.1 302 Found\r\nLocation: /thing\r\nContent-Length: 0\r\n\r\n")]
                case "/cut": [.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello"), .close]
                case "/echo": [.send("HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\n\r\n"), .send(request.body)]
                default: [.send("HTTP/1.1 200 OK\r\nETag: \"7\"\r\nContent-Length: \(served.count)\r\n\r\n"), .send(served)]
                }
            }
            let (old, cut) = (RequestMessage(url: server.url("/old")), RequestMessage(url: server.url("/cut")))
            let echo = RequestMessage(method: .post, url: server.url("/echo"), body: .bytes("hello".utf8))
            let recorder = BackendClient(executor: try RecordingExecutor(URLSessionExecutor(), in: directory.url))
            let recorded = try await recorder.response(to: old)
            _ = try await recorder.response(to: echo)
            _ = try? await recorder.response(to: cut)
            server.stop()

            let player = BackendClient(executor: try ReplayingExecutor(directory: directory.url))
            let replayed = try await player.response(to: old)

            #expect(recorded.body == served)
            #expect(replayed.body == served)
            #expect(replayed.url == server.url("/thing"))
            #expect(replayed.headers == recorded.headers)
            #expect(try await player.response(to: echo).body == Array("hello".utf8))
            await #expect { try await player.response(to: cut) } throws: { error in
                if case BackendError.interrupted = error { true } else { false }
            }
        }
    }
}

/// The conformance suite on an executor that replays.
@Suite struct ReplayingConformanceTests {
    private static let names = ExecutorConformance { _ in ScriptedExecutor() }.cases

    private let directory: TemporaryFolder

    init() throws {
        directory = try TemporaryFolder()
    }

    @Test(arguments: names) func `A recorded executor passes the conformance suite`(_ example: ExecutorConformance.Case) async throws {
        let count = Mutex(0)
        let conformance = ExecutorConformance { [directory] response in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let location = directory.url.appending(path: "\(number)", directoryHint: .isDirectory)
            do {
                try Self.write(response, in: location)
                return try ReplayingExecutor(directory: location)
            } catch {
                Issue.record(error)
                return ScriptedExecutor()
            }
        }

        try await conformance.check(example)
    }

    private static func write(_ response: BackendResponse, in directory: URL) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let writer = try ExchangeWriter(RequestMessage(url: response.url), number: 1, in: directory, secrets: .standard)
        writer.write(ResponseHead(status: response.status, headers: response.headers), at: .zero)
        if !response.body.isEmpty { try writer.write(response.body, at: .zero) }
        try writer.finish(nil)
    }
}
