import Foundation
import HTTPTypes
import LadingOperations
import LadingRecording
import LadingTesting
import Synchronization
import Testing
@testable import LadingHTTP
import TemporaryFolders

/// Tests of recorded exchanges and their replay.
@Suite struct RecordingTests {
    let scripted = ScriptedExecutor()
    let directory: TemporaryFolder
    let url = URL(string: "http://example.org/orders/list")!

    init() throws {
        directory = try TemporaryFolder()
    }

    // MARK: Helpers

    func recorder() throws -> RecordingExecutor { try RecordingExecutor(scripted, in: directory.url, clock: ManualClock()) }

    func replay() throws -> ReplayingExecutor { try ReplayingExecutor(directory: directory.url) }

    func response(to message: RequestMessage, through executor: any BackendExecutor) async throws -> BackendResponse {
        try await BackendClient(executor: executor, clock: ManualClock()).response(to: message)
    }

    func text(_ url: URL, through executor: any BackendExecutor) async throws -> String {
        String(decoding: try await response(to: RequestMessage(url: url), through: executor).body, as: UTF8.self)
    }

    var folders: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted() }
    }

    func file(_ name: String, of folder: String) -> URL { directory.url.appending(path: folder).appending(path: name) }

    /// The names and contents of all files in the directory, as one text.
    var directoryContents: String {
        get throws {
            let names = try #require(FileManager.default.enumerator(atPath: directory.url.path)).compactMap { $0 as? String }
            return names.map { name in
                name + "\n" + ((try? String(contentsOf: directory.url.appending(path: name), encoding: .utf8)) ?? "")
            }.joined(separator: "\n")
        }
    }

    // MARK: Round trips

    @Test func `A recorded exchange is replayed`() async throws {
        let headers: HTTPFields = [.contentType: "text/plain", .vary: "Accept", .vary: "Accept-Language"]
        scripted.script(url.absoluteString, .response(status: .accepted, headers: headers, text: "seven"))

        let recorded = try await response(to: RequestMessage(url: url), through: recorder())
        let replayed = try await response(to: RequestMessage(url: url), through: replay())

        #expect(replayed.status == recorded.status)
        #expect(replayed.headers == recorded.headers)
        #expect(replayed.body == Array("seven".utf8))
        #expect(try folders == ["000001-GET-example.org-list"])
    }

    @Test func `A recording is readable JSON with the bodies beside it`() async throws {
        scripted.script(url.absoluteString, .response(headers: [.eTag: "\"7\""], text: "seven"))

        _ = try await response(
            to: RequestMessage(method: .post, url: url, headers: [.accept: "a/b"], body: [0x68, 0x69]), through: recorder())

        let folder = "000001-POST-example.org-list"
        #expect(
            try String(contentsOf: file("exchange.json", of: folder), encoding: .utf8) == """
                {
                  "format" : 1,
                  "reply" : {
                    "at" : 0,
                    "body" : {
                      "length" : 5,
                      "sha256" : "3ba8d02b16fd2a01c1a8ba1a1f036d7ce386ed953696fa57331c2ac48a80b255"
                    },
                    "chunks" : [
                      {
                        "at" : 0,
                        "bytes" : 5
                      }
                    ],
                    "headers" : [
                      "ETag: \\"7\\""
                    ],
                    "status" : 200
                  },
                  "request" : {
                    "body" : {
                      "length" : 2,
                      "sha256" : "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"
                    },
                    "headers" : [
                      "Accept: a/b"
                    ],
                    "method" : "POST",
                    "url" : "http://example.org/orders/list"
                  }
                }
                """)
        #expect(try String(contentsOf: file("request-body", of: folder), encoding: .utf8) == "hi")
        #expect(try String(contentsOf: file("reply-body", of: folder), encoding: .utf8) == "seven")
    }

    @Test func `Each redirect is recorded as an exchange`() async throws {
        scripted.script(url.absoluteString, .response(status: .found, headers: [.location: "/moved?token=s3cret"]))
        scripted.script("http://example.org/moved?token=s3cret", .response(text: "here"))
        _ = try await response(to: RequestMessage(url: url), through: recorder())

        let replayed = try await text(url, through: replay())

        #expect(replayed == "here")
        #expect(try folders == ["000001-GET-example.org-list", "000002-GET-example.org-moved"])
    }

    @Test func `A second recording appends to the first`() async throws {
        scripted.script(url.absoluteString, .response(text: "first"), .response(text: "second"))
        _ = try await text(url, through: recorder())

        _ = try await text(url, through: recorder())

        #expect(try folders.map { $0.prefix(6) } == ["000001", "000002"])
    }

    @Test func `A folder with a number after which there is none is ignored`() async throws {
        scripted.script(url.absoluteString, .response(text: "first"))
        let other = directory.url.appending(path: "\(Int.max)-GET-a.org-")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)

        _ = try await text(url, through: recorder())

        #expect(try folders.contains("000001-GET-example.org-list"))
        #expect(try await text(url, through: replay()) == "first")
    }

    // MARK: Matching requests

    @Test func `Equal requests are replayed in the order of their recordings, and then repeat the last`() async throws {
        scripted.script(url.absoluteString, .response(text: "1"), .response(text: "2"), .response(text: "3"))
        let recorder = try recorder()
        for _ in 0..<3 { _ = try await text(url, through: recorder) }
        let replay = try replay()

        var responses: [String] = []
        for _ in 0..<5 { responses.append(try await text(url, through: replay)) }

        #expect(responses == ["1", "2", "3", "3", "3"])
    }

    @Test func `Requests with another method or body are different`() async throws {
        scripted.script(url.absoluteString, .response(text: "get"), .response(text: "a"), .response(text: "b"), .response(text: "put"))
        let messages = [
            RequestMessage(url: url), RequestMessage(method: .post, url: url, body: [1]),
            RequestMessage(method: .post, url: url, body: [2]),
            RequestMessage(method: .put, url: url, body: [2]),
        ]
        let recorder = try recorder()
        for message in messages { _ = try await response(to: message, through: recorder) }
        let replay = try replay()

        var responses: [String] = []
        for message in messages.reversed() {
            responses.append(String(decoding: try await response(to: message, through: replay).body, as: UTF8.self))
        }

        #expect(responses == ["put", "b", "a", "get"])
    }

    @Test func `Requests differ by the header fields that the response varied by`() async throws {
        let vary: HTTPFields = [.vary: "Accept-Language, Authorization"]
        scripted.script(url.absoluteString, .response(headers: vary, text: "hello"), .response(headers: vary, text: "hallo"))
        let recorder = try recorder()
        for language in ["en", "de"] {
            _ = try await response(
                to: RequestMessage(url: url, headers: [.acceptLanguage: language, .authorization: "one"]), through: recorder)
        }

        let german = RequestMessage(url: url, headers: [.acceptLanguage: "de", .authorization: "another", .accept: "a/b"])
        let french = RequestMessage(url: url, headers: [.acceptLanguage: "fr", .authorization: "one"])
        let nobody = RequestMessage(url: url, headers: [.acceptLanguage: "de"])

        let replay = try replay()
        #expect(try await response(to: german, through: replay).body == Array("hallo".utf8))
        for message in [french, nobody] {
            await #expect(throws: RecordingError.self) { try await response(to: message, through: replay) }
        }
    }

    @Test func `A part is replayed for its range only, and the outcome of a condition for conditional requests only`() async throws {
        let messages = [
            RequestMessage(url: url), RequestMessage(url: url, headers: [.range: "bytes=0-1", .ifRange: "\"7\""]),
            RequestMessage(url: url, headers: [.range: "bytes=9-"]), RequestMessage(url: url, headers: [.ifNoneMatch: "\"7\""]),
        ]
        scripted.script(
            url.absoluteString, .response(text: "seven"), .response(status: .partialContent, text: "se"),
            .response(status: .rangeNotSatisfiable), .response(status: .notModified))
        let recorder = try recorder()
        for message in messages { _ = try await response(to: message, through: recorder) }
        let replay = try replay()

        var statuses: [Int] = []
        // A complete response is one to a condition, too: the first of them is replayed first.
        for index in [3, 2, 1, 0, 0, 3, 0] {
            statuses.append(try await response(to: messages[index], through: replay).status.code)
        }

        #expect(statuses == [200, 416, 206, 200, 200, 304, 200])
    }

    @Test func `A request without the range or the condition of the recording has none`() async throws {
        scripted.script(url.absoluteString, .response(status: .partialContent, text: "ven"), .response(status: .preconditionFailed))
        let recorder = try recorder()
        _ = try await response(to: RequestMessage(url: url, headers: [.range: "bytes=2-"]), through: recorder)
        _ = try await response(to: RequestMessage(url: url, headers: [.ifMatch: "\"6\""]), through: recorder)
        let replay = try replay()

        for headers: HTTPFields in [[:], [.range: "bytes=0-"], [.range: "bytes=2-", .ifRange: "\"7\""]] {
            await #expect(throws: RecordingError.self) {
                try await response(to: RequestMessage(url: url, headers: headers), through: replay)
            }
        }
    }

    @Test func `A failed condition that no field names is replayed for the same request`() async throws {
        scripted.script(url.absoluteString, .response(status: .preconditionFailed))
        _ = try await response(to: RequestMessage(url: url), through: recorder())

        #expect(try await response(to: RequestMessage(url: url), through: replay()).status == .preconditionFailed)
    }

    @Test func `A request without a recording is named in the error, without its secrets`() async throws {
        let secret = try #require(URL(string: "http://example.org/other?token=s3cret&page=2"))

        await #expect {
            try await text(secret, through: replay())
        } throws: { error in
            "\(error)" == "no recorded response for GET http://example.org/other?token=REDACTED&page=2: record it first"
        }
    }

    // MARK: Request bodies

    private func streamed(_ chunks: [[UInt8]], endingWith error: (any Error)? = nil) -> RequestMessage {
        let body = RequestBody.stream {
            AsyncThrowingStream<[UInt8], any Error> { stream in
                for chunk in chunks { stream.yield(chunk) }
                stream.finish(throwing: error)
            }
        }
        return RequestMessage(method: .put, url: url, body: body)
    }

    @Test func `A streamed body is recorded while it is sent, and matched by its bytes`() async throws {
        scripted.script(url.absoluteString, .response(text: "one"), .response(text: "two"))
        let recorder = try recorder()
        _ = try await response(to: streamed([[1, 2], [3]]), through: recorder)
        _ = try await response(to: streamed([]), through: recorder)
        #expect(scripted.requests.map(\.body.bytes) == [[1, 2, 3], []])
        #expect(try Data(contentsOf: file("request-body", of: "000001-PUT-example.org-list")) == Data([1, 2, 3]))
        let replay = try replay()

        #expect(try await response(to: RequestMessage(method: .put, url: url), through: replay).body == Array("two".utf8))
        #expect(try await response(to: streamed([[1], [2, 3]]), through: replay).body == Array("one".utf8))
        #expect(try await response(to: RequestMessage(method: .put, url: url, body: [1, 2, 3]), through: replay).body == Array("one".utf8))
        await #expect(throws: RecordingError.self) { try await response(to: streamed([[1, 2]]), through: replay) }
    }

    @Test func `The progress of a streamed body is reported as without a recorder`() async throws {
        scripted.script(url.absoluteString, .response(text: "x"))
        let reported = Mutex<[Int]>([])
        let progress = OperationProgress { snapshot in reported.withLock { $0.append(snapshot.completed) } }

        _ = try await BackendClient(executor: try recorder(), clock: ManualClock()).response(
            to: streamed([[1, 2], [3]]), uploadProgress: progress)

        #expect(reported.withLock { $0.max() } == 3)
        #expect(reported.withLock { $0 == $0.sorted() })
    }

    @Test func `A partially sent body matches any body`() async throws {
        let recorder = try RecordingExecutor(RejectingExecutor(), in: directory.url)
        _ = try await response(to: streamed([[1], [2], [3]]), through: recorder)

        let replayed = try await response(to: streamed([[1], [2], [4]]), through: replay())

        #expect(replayed.status == .contentTooLarge)
    }

    @Test func `A body that cannot be read fails as without a recorder, and leaves no files`() async throws {
        struct Broken: Error {}
        scripted.script(url.absoluteString, .response(text: "x"))

        await #expect(throws: Broken.self) { try await response(to: streamed([[1]], endingWith: Broken()), through: recorder()) }

        #expect(try folders == [])
        await #expect(throws: Broken.self) { try await response(to: streamed([[1]], endingWith: Broken()), through: replay()) }
    }

    // MARK: Secrets

    @Test func `Secrets are not written, and requests with other secrets match`() async throws {
        struct Refused: Error, CustomStringConvertible {
            let description = "http://example.org/orders/list?api_key=s3cret was refused for tok3n-of-mine"
        }
        let conditions = try #require(URL(string: "http://me:s3cret@example.org/orders/list?api_key=s3cret"))
        let cookies: HTTPFields = [.setCookie: "id=s3cret", .location: "/x?key=s3cret"]
        scripted.script(
            conditions.absoluteString, .response(headers: cookies, text: "x"),
            .failure(BackendError.unreachable(conditions, cause: Refused())))
        let headers: HTTPFields = [.authorization: "Bearer tok3n-of-mine", .cookie: "id=s3cret", .referer: "http://a.org/?token=s3cret"]
        let recorder = try recorder()
        _ = try await response(to: RequestMessage(url: conditions, headers: headers), through: recorder)
        _ = try? await response(to: RequestMessage(url: conditions, headers: headers), through: recorder)

        #expect(try directoryContents.contains("was refused for REDACTED"))
        #expect(try !directoryContents.contains("s3cret") && !directoryContents.contains("tok3n"))
        let other = try #require(URL(string: "http://you:other@example.org/orders/list?api_key=other"))
        #expect(try await text(other, through: replay()) == "x")
    }

    @Test func `A recording made with fewer secret parameters is replayed`() async throws {
        let before = try #require(URL(string: "http://example.org/orders/list?session_id=7&page=2"))
        let after = try #require(URL(string: "http://example.org/orders/list?session_id=8&page=2"))
        scripted.script(before.absoluteString, .response(text: "x"))
        let nothing = SecretRedaction(fields: [], parameters: [])
        _ = try await text(before, through: RecordingExecutor(scripted, in: directory.url, secrets: nothing, clock: ManualClock()))

        #expect(try await text(after, through: replay()) == "x")
    }

    // MARK: Size

    @Test func `A body of many chunks is replayed byte for byte, in chunks of limited size`() async throws {
        let chunks = (0..<40).map { number in [UInt8](repeating: UInt8(number), count: number % 2 == 0 ? 100_000 : 3) }
        scripted.script(url.absoluteString, .chunks(chunks))
        _ = try await response(to: RequestMessage(url: url), through: recorder())

        var (received, largest): ([UInt8], Int) = ([], 0)
        try await replay().execute(RequestMessage(url: url), timeLimit: .seconds(1)) { _, body in
            for try await chunk in body {
                received += chunk
                largest = max(largest, chunk.count)
            }
        }

        #expect(received == Array(chunks.joined()))
        #expect(largest == 65_536)
    }
}

/// An executor that rejects a message after the first chunk of its body.
private struct RejectingExecutor: BackendExecutor {
    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        for try await _ in message.body { break }
        return try await receive(ResponseHead(status: .contentTooLarge), ResponseBody { nil })
    }
}
