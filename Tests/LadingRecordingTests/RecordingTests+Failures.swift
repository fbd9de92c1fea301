import Foundation
import HTTPTypes
import LadingRecording
import LadingTesting
import Synchronization
import Testing
@testable import LadingHTTP
import TemporaryFolders

// Failures during recording and replay, and damaged recordings.
extension RecordingTests {
    // MARK: Failures

    @Test func `Recorded failures are replayed`() async throws {
        struct Cause: Error, CustomStringConvertible { let description = "the cable is cut" }
        let failures: [any Error] = [
            BackendError.unreachable(url, cause: Cause()), BackendError.timedOut(url, after: .seconds(2.5)),
            BackendError.interrupted(url, cause: Cause()), BackendError.malformedResponse(url, cause: Cause()),
            BackendError.bufferLimitExceeded(url, limit: 7), BackendError.policyViolation(url, .privateAddress), Cause(),
        ]
        let recorder = try recorder()
        for failure in failures {
            scripted.script(url.absoluteString, .failure(failure))
            _ = try? await response(to: RequestMessage(url: url), through: recorder)
        }
        let replay = try replay()

        for failure in failures {
            await #expect {
                try await response(to: RequestMessage(url: url), through: replay)
            } throws: { error in
                "\(error)" == "\(failure)" && (error is BackendError) == (failure is BackendError)
            }
        }
    }

    @Test func `An interrupted body is replayed to the same byte`() async throws {
        struct Cause: Error {}
        scripted.script(url.absoluteString, .truncated(after: [[1, 2], [3]], BackendError.interrupted(url, cause: Cause())))
        _ = try? await response(to: RequestMessage(url: url), through: recorder())

        var received: [UInt8] = []
        await #expect {
            try await replay().execute(RequestMessage(url: url), timeLimit: .seconds(1)) { _, body in
                for try await chunk in body { received += chunk }
            }
        } throws: { error in
            if case BackendError.interrupted(url, _) = error { true } else { false }
        }
        #expect(received == [1, 2, 3])
    }

    @Test func `A body that was not read to its end is replayed to that point`() async throws {
        scripted.script(url.absoluteString, .chunks([[1, 2], [3]]))
        try await recorder().execute(RequestMessage(url: url), timeLimit: .seconds(1)) { _, body in
            for try await _ in body { break }
        }
        let replay = try replay()

        let first = try await replay.execute(RequestMessage(url: url), timeLimit: .seconds(1)) { _, body in
            for try await chunk in body { return chunk }
            return []
        }

        #expect(first == [1, 2])
        await #expect {
            try await response(to: RequestMessage(url: url), through: replay)
        } throws: { error in
            if case RecordingError.truncated(url.absoluteString) = error { true } else { false }
        }
    }

    @Test func `An error of the receiver is rethrown, and the response is recorded as far as it was read`() async throws {
        scripted.script(url.absoluteString, .response(body: [UInt8](repeating: 7, count: 100)))
        let client = BackendClient(executor: try recorder(), clock: ManualClock())

        await #expect {
            try await client.response(to: RequestMessage(url: url), within: ResponseLimits(bodySize: 10))
        } throws: { error in
            if case BackendError.bodyTooLarge = error { true } else { false }
        }
        #expect(try folders.count == 1)
    }

    @Test func `A cancelled exchange leaves no files`() async throws {
        let gate = Gate()
        scripted.script(url.absoluteString, .response(text: "late"), behind: gate)
        let recorder = try recorder()
        let exchange = Task { try await text(url, through: recorder) }
        await gate.waitForWaiters(count: 1)
        #expect(try folders == [".000001-GET-example.org-list.part"])

        exchange.cancel()

        await #expect(throws: CancellationError.self) { try await exchange.value }
        #expect(try folders == [])
    }

    // MARK: Damaged recordings

    @Test func `The incomplete exchange of a killed process is ignored, and its number is not reused`() async throws {
        let left = directory.url.appending(path: ".000004-GET-example.org-list.part")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: left.appending(path: "reply-body"))
        try Data("notes".utf8).write(to: directory.url.appending(path: "README"))
        scripted.script(url.absoluteString, .response(text: "whole"))

        _ = try await text(url, through: recorder())

        #expect(try await text(url, through: replay()) == "whole")
        #expect(try folders.contains("000005-GET-example.org-list"))
    }

    @Test(arguments: [
        ("", "cannot read the recording"), ("{}", "cannot read the recording"), ("{\"format\": 2}", "has the newer format 2"),
        ("{\"format\": 1, \"request\": {\"method\": \"GET\", \"url\": 7, \"headers\": []}}", "request.url is not a string"),
        (
            "{\"format\": 1, \"request\": {\"method\": \"GET\", \"url\": \"http://a.org/\", \"headers\": []}}",
            "both the response and the failure are missing"
        ),
        (
            "{\"format\": 1, \"request\": {\"method\": \"GET\", \"url\": \"http://a.org/\", \"headers\": [\"what\"]}}",
            "a header field of the request is invalid"
        ),
        (
            """
            {"format": 1, "request": {"method": "GET", "url": "http://a.org/", "headers": []}, "reply": {"status": -1, "at": 0, "headers": []}}
            """, "the status or a header field of the response is invalid"
        ),
        (
            """
            {"format": 1, "request": {"method": "GET", "url": "http://a.org/", "headers": []},
             "failure": {"kind": "timedOut", "at": 0, "limit": 1e300}}
            """, "a time or a byte count is invalid"
        ),
        (
            """
            {"format": 1, "request": {"method": "GET", "url": "http://a.org/", "headers": []},
             "reply": {"status": 200, "at": 0, "headers": [], "chunks": [{"at": 0, "bytes": -9223372036854775808}]}}
            """, "a time or a byte count is invalid"
        ),
        (
            """
            {"format": 1, "request": {"method": "GET", "url": "http://a.org/", "headers": []},
             "reply": {"status": 200, "at": -1, "headers": []}}
            """, "a time or a byte count is invalid"
        ),
    ])
    func `An invalid recording fails with its file and the reason`(json: String, reason: String) throws {
        let folder = directory.url.appending(path: "000001-GET-a.org-")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(json.utf8).write(to: folder.appending(path: "exchange.json"))

        #expect {
            try replay()
        } throws: { error in
            error is RecordingError && "\(error)".contains(reason) && "\(error)".contains("000001-GET-a.org-/exchange.json")
        }
    }

    @Test func `A corrupted body is detected`() async throws {
        scripted.script(url.absoluteString, .response(text: "seven"))
        _ = try await text(url, through: recorder())
        let body = file("reply-body", of: "000001-GET-example.org-list")
        let reasons: [(Data?, String)] = [
            (Data("sev".utf8), "the body has 3 bytes instead of 5"), (Data("eleven".utf8), "the body has 6 bytes instead of 5"),
            (Data("s3ven".utf8), "the checksum of the body does not match"), (nil, "cannot read the recording"),
        ]

        for (data, reason) in reasons {
            try FileManager.default.removeItem(at: body)
            try data?.write(to: body)
            await #expect {
                try await text(url, through: replay())
            } throws: { error in
                error is RecordingError && "\(error)".contains(reason) && "\(error)".contains("reply-body")
            }
        }
    }

    @Test func `Without length and digest a body may be edited`() async throws {
        scripted.script(url.absoluteString, .response(text: "seven"))
        _ = try await text(url, through: recorder())
        let folder = "000001-GET-example.org-list"
        var lines = try String(contentsOf: file("exchange.json", of: folder), encoding: .utf8).split(separator: "\n")
        lines.removeAll { $0.contains("length") || $0.contains("sha256") }

        try Data(lines.joined(separator: "\n").utf8).write(to: file("exchange.json", of: folder))
        try Data("seventy-seven".utf8).write(to: file("reply-body", of: folder))

        #expect(try await text(url, through: replay()) == "seventy-seven")
    }

    @Test func `An unusable directory is named in the error`() async throws {
        let response = directory.url.appending(path: "taken")
        try Data().write(to: response)

        #expect {
            try RecordingExecutor(scripted, in: response)
        } throws: { error in
            if case RecordingError.writeFailed(response, _) = error { true } else { false }
        }
        #expect {
            try ReplayingExecutor(directory: directory.url.appending(path: "nowhere"))
        } throws: { error in
            if case RecordingError.readFailed = error { true } else { false }
        }
    }

    @Test func `An exchange that cannot be written fails, and leaves no files`() async throws {
        let gate = Gate()
        scripted.script(url.absoluteString, .response(text: "x"), behind: gate)
        let recorder = try recorder()
        let exchange = Task { try await text(url, through: recorder) }
        await gate.waitForWaiters(count: 1)

        try FileManager.default.removeItem(at: directory.url.appending(path: ".000001-GET-example.org-list.part"))
        gate.open()

        await #expect {
            try await exchange.value
        } throws: { error in
            if case RecordingError.writeFailed = error { true } else { false }
        }
        #expect(try folders == [])
    }

    @Test func `A streamed request body that cannot be written fails, and leaves no files`() async throws {
        let location = directory.url
        let body = RequestBody.stream {
            for name in try FileManager.default.contentsOfDirectory(atPath: location.path) {
                try FileManager.default.removeItem(at: location.appending(path: name))
            }
            return AsyncStream<[UInt8]> { stream in
                stream.yield([1])
                stream.finish()
            }
        }

        await #expect {
            try await response(to: RequestMessage(method: .put, url: url, body: body), through: recorder())
        } throws: { error in
            if case RecordingError.writeFailed = error { true } else { false }
        }
        #expect(try folders == [])
    }
}
